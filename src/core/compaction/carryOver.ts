// What the planner's cut takes along, and how much of it. All parameters of that choice are here (design section 6.3).
import type { PlannerName } from '../policy/policy.ts';
import type { TextInUse } from './textsInUse.ts';

export interface CarryOver {
  policy: PlannerName;
  /** Why it is made, for the receipt. */
  reason?: 'rent' | 'threshold' | 'window' | undefined;
  /** What it is expected to cost, in uncached input tokens. */
  priceTokens?: number | undefined;
  /** The text as it is now. Undefined: the file is gone, or may not be read unasked. */
  readText(text: TextInUse): Promise<string | undefined>;
}

/** Tokens and percentages of the context window. */
export const CARRY = {
  /** The current turn stays as it is up to this size; beyond it the last chunks alone do. */
  turnPercent: 35,
  ledger: { mostTokens: 2_000, windowPercent: 2 },
  texts: { mostTokens: 8_000, windowPercent: 5, mostTokensEach: 4_000, leastTokens: 100, mostFiles: 40 },
  /** `recall` keeps so much of the latest steps in place of the texts. */
  recallTailTokens: 16_000,
  /** How a text's last use, counted in tool results, is set off against how much it was used. */
  weights: { furtherUse: 3, mostFurtherUses: 4, changed: 6 },
} as const;

export function ledgerCap(contextWindow: number): number {
  return Math.min(CARRY.ledger.mostTokens, Math.floor((contextWindow * CARRY.ledger.windowPercent) / 100));
}

/** 0 for `recall`. */
export function textsCap(contextWindow: number, policy: PlannerName): number {
  if (policy === 'recall') return 0;
  return Math.min(CARRY.texts.mostTokens, Math.floor((contextWindow * CARRY.texts.windowPercent) / 100));
}
