/** What a policy looks at before a model call. Token figures are calibrated estimates. */
export interface PolicyState {
  promptTokens: number;
  contextWindow: number;
  /** Tokens at which compaction is due. */
  softThreshold: number;
  /** Prompt, completion reserve and safety margin fit the window. */
  fits: boolean;
}

/** A value: it can be shown, priced and tested without a provider. */
export type Plan = { kind: 'send' } | { kind: 'compact'; trigger: 'soft' | 'hard' };

/** Decides when a new generation is made (design section 6). */
export interface Policy {
  readonly name: string;
  decide(state: PolicyState): Plan;
}
