// Steiner's own policy: compact at a fixed share of the window (fact sheet section 6).
import type { Plan, Policy, PolicySizes } from './policy.ts';

const SOFT_PERCENT = 70;

export const fixedPolicy = {
  name: 'fixed',
  decide({ promptTokens, softThreshold, fits }: PolicySizes): Plan {
    if (!fits) return { kind: 'compact', trigger: 'hard' };
    return promptTokens >= softThreshold ? { kind: 'compact', trigger: 'soft' } : { kind: 'send' };
  },
} satisfies Policy;

/**
 * Tokens: what the user set, if it lies below the window, otherwise 70% of the window. One setting serves models of
 * all sizes, so a figure that is too large for this one is no error.
 */
export function softThreshold(contextWindow: number, thresholdTokens?: number): number {
  const usable = thresholdTokens !== undefined && thresholdTokens > 0 && thresholdTokens < contextWindow;
  return usable ? thresholdTokens : Math.floor((contextWindow * SOFT_PERCENT) / 100);
}
