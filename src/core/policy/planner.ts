// The planner behind `balanced`, `economy` and `recall` (design section 6): a compaction is due when the rent paid for
// carrying old text outweighs the price of dropping it. Rent-or-buy, so it needs no forecast of the session's length.
import type { Plan, PlannerName, Policy, PolicyState } from './policy.ts';

/** How often the price of a compaction must have been paid in rent, at a user message and inside a tool loop. */
const PATIENCE: Record<PlannerName, { atUserMessage: number; inToolLoop: number }> = {
  economy: { atUserMessage: 2, inToolLoop: 16 },
  balanced: { atUserMessage: 4, inToolLoop: 32 },
  recall: { atUserMessage: 16, inToolLoop: 64 },
};

/** Tokens; a smaller saving does not warrant a loss of text. */
const LEAST_SAVED_TOKENS = 10_000;

/** Output tokens of a summary, as measured on recorded ones. */
export const EXPECTED_SUMMARY_TOKENS = 2_000;

export function plannerPolicy(name: PlannerName): Policy {
  return { name, decide: (state) => decide(PATIENCE[name], state) };
}

/** In uncached input tokens: the prompt is read once more, the summary is written, and what remains enters the cache anew. */
export function compactionPrice({
  promptTokens,
  remainingTokens,
  prices,
}: Pick<PolicyState, 'promptTokens' | 'remainingTokens' | 'prices'>): number {
  return prices.read * promptTokens + prices.output * EXPECTED_SUMMARY_TOKENS + prices.write * remainingTokens;
}

function decide(patience: { atUserMessage: number; inToolLoop: number }, state: PolicyState): Plan {
  const priceTokens = compactionPrice(state);
  const plan = { kind: 'compact', cut: 'maximal', priceTokens } as const;
  if (!state.fits) return { ...plan, trigger: 'hard', reason: 'window' };
  if (state.promptTokens >= state.softThreshold) return { ...plan, trigger: 'soft', reason: 'threshold' };
  const rent = state.prices.read * state.excessTokens;
  const factor = state.atUserMessage ? patience.atUserMessage : patience.inToolLoop;
  const isWorthIt = state.promptTokens - state.remainingTokens >= LEAST_SAVED_TOKENS;
  return isWorthIt && rent >= factor * priceTokens ? { ...plan, trigger: 'soft', reason: 'rent' } : { kind: 'send' };
}
