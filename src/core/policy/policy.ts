// What all policies share (design section 6). A plan is a value: it can be shown, priced and tested without a provider.
import type { RelativePrices } from './relativePrices.ts';

export type PlannerName = 'balanced' | 'economy' | 'recall';

export type PolicyName = PlannerName | 'fixed';

/** Sizes before a model call. Token figures are calibrated estimates. */
export interface PolicySizes {
  promptTokens: number;
  contextWindow: number;
  /** Tokens at which compaction is due whatever it costs. */
  softThreshold: number;
  /** Prompt, completion reserve and safety margin fit the window. */
  fits: boolean;
}

/** What a policy looks at before a model call. */
export interface PolicyState extends PolicySizes {
  /** The next call answers what the user has just said; false inside a tool loop. */
  atUserMessage: boolean;
  /** The prompt as it would be right after a compaction by the planner's own cut. */
  remainingTokens: number;
  /** The rent meter: prompt minus `remainingTokens`, summed over the main calls since the generation was made. */
  excessTokens: number;
  prices: RelativePrices;
}

export interface CompactPlan {
  kind: 'compact';
  trigger: 'soft' | 'hard';
  /** `maximal`: all before the current turn, or before the last chunks. Absent: Steiner's stages. */
  cut?: 'maximal';
  /** `rent`: carrying the old text has cost more than dropping it. */
  reason?: 'rent' | 'threshold' | 'window';
  /** What the compaction is expected to cost, in uncached input tokens. */
  priceTokens?: number;
}

export type Plan = { kind: 'send' } | CompactPlan;

/** Decides when a new generation is made, and how. */
export interface Policy {
  readonly name: PolicyName;
  decide(state: PolicyState): Plan;
}
