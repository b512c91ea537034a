import type { BenchPolicy } from '../room.ts';
import { fixedBenchPolicy } from './fixed.ts';
import { halfPolicy } from './half.ts';
import { naivePolicy } from './naive.ts';
import { oraclePolicy } from './oracle.ts';

/** The product's policies by their names in the settings, and what they are held against. */
const POLICIES = {
  fixed: fixedBenchPolicy,
  naive: naivePolicy,
  half: halfPolicy,
  oracle: oraclePolicy,
} satisfies Record<string, () => BenchPolicy>;

export type BenchPolicyName = keyof typeof POLICIES;

export const POLICY_NAMES = Object.keys(POLICIES).filter(isPolicyName);

export function isPolicyName(name: string): name is BenchPolicyName {
  return name in POLICIES;
}

/** A policy may keep a state: one for each session. */
export function newPolicy(name: BenchPolicyName): BenchPolicy {
  return POLICIES[name]();
}
