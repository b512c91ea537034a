// Which `thinking` field a Claude model takes. The newer ones refuse budgets, the newest refuse to be told not to
// think (vendor's migration guides, November 2026).
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';

type Thinking = NonNullable<MessageCreateParamsStreaming['thinking']>;

const SMALLEST_BUDGET = 1024;

/**
 * Undefined: the field is left out, and the model does not think. `lost`: see `ModelRequest.thinkingLost`; a model that
 * refuses to be told not to think gets no field then, which is as close to off as it allows. `budget` and `maxOutputTokens` in tokens; models
 * that choose for themselves how much to think are given no budget.
 */
export function thinkingFor(
  model: string,
  budget: number | undefined,
  maxOutputTokens: number,
  lost = false,
): Thinking | undefined {
  const { adaptive, always, unlessToldNot } = traits(model);
  // The default of the newest models hides the text; `summarized` shows it.
  if ((always && !lost) || (adaptive && budget !== undefined)) return { type: 'adaptive', display: 'summarized' };
  if (budget === undefined) return unlessToldNot ? { type: 'disabled' } : undefined;
  // The wire wants 1024 <= budget < max_tokens.
  const allowed = Math.min(budget, maxOutputTokens - 1);
  return allowed < SMALLEST_BUDGET ? undefined : { type: 'enabled', budget_tokens: allowed };
}

function traits(model: string): { adaptive: boolean; always: boolean; unlessToldNot: boolean } {
  const parts = /(fable|mythos|opus|sonnet|haiku)-(\d{1,2}(?!\d)|preview)(?:[.-](\d{1,2})(?!\d))?/.exec(model);
  if (!parts) return { adaptive: false, always: false, unlessToldNot: false };
  const [, family = '', major = '', minor = '0'] = parts;
  if (family === 'fable' || family === 'mythos') return { adaptive: true, always: true, unlessToldNot: false };
  const version = Number(major) + Number(minor) / 100;
  return { adaptive: version >= 4.06, always: version >= 5.05, unlessToldNot: version >= 5 && version < 5.05 };
}
