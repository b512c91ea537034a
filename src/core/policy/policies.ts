// The policies by the names of the setting `steiner.context.policy`.
import { fixedPolicy } from './fixed.ts';
import { plannerPolicy } from './planner.ts';
import type { PlannerName, Policy, PolicyName } from './policy.ts';

const PLANNERS: readonly PlannerName[] = ['balanced', 'economy', 'recall'];

/** The default first. */
export const POLICY_NAMES: readonly PolicyName[] = [...PLANNERS, 'fixed'];

export function policyOf(name: PolicyName): Policy {
  return isPlanner(name) ? plannerPolicy(name) : fixedPolicy;
}

export function isPlanner(name: PolicyName): name is PlannerName {
  return PLANNERS.some((planner) => planner === name);
}
