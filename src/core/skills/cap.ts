import { clipUtf8, utf8Length } from '../platform/text.ts';
import { DEFAULT_BUDGETS } from '../prompt/budget.ts';

/** Cuts a skill's text to `cap` UTF-8 bytes, on a code point; the marker stands after the cut. */
export function capSkillText(text: string, cap: number = DEFAULT_BUDGETS.skill): { text: string; truncated: boolean } {
  if (utf8Length(text) <= cap) return { text, truncated: false };
  return { text: `${clipUtf8(text, cap)}\n[truncated: skill exceeded the ${cap}-byte cap]`, truncated: true };
}
