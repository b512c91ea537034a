// What a model does when something it needs is no longer in the prompt: one more call that reads it again.
import { clipUnits } from '../../../src/core/platform/text.ts';
import { featuresOf, holds } from './features.ts';
import type { Reference } from './references.ts';
import type { TokenBook } from './tokenBook.ts';
import type { Step } from './trace.ts';

const MOST_RE_READS = 3;
/** All figures are the provider's tokens. */
const LONGEST_RE_READ = 10_000;
const CALL_TOKENS = 60;
const LOOK_UP_TOKENS = { symbol: 400, path: 200 } as const;

/** The extra call, as a step. Undefined: nothing is missing. `results`: the results so far by call id. */
export function reReadStep(
  missing: readonly Reference[],
  results: ReadonlyMap<string, string>,
  book: TokenBook,
  prefix: string,
): Step | undefined {
  const texts: { text: string; tokens: number }[] = [];
  let reReads = 0;
  const isBack = ({ kind, text }: Reference) => texts.some((each) => holds(featuresOf(each.text), kind, text));
  for (const reference of missing) {
    if (isBack(reference)) continue;
    if (reference.kind !== 'line') {
      texts.push({ text: `Found again: ${reference.text}`, tokens: LOOK_UP_TOKENS[reference.kind] });
    } else if (reReads < MOST_RE_READS) {
      reReads += 1;
      texts.push(cutAround(results.get(reference.holders.at(-1) ?? '') ?? reference.text, reference.text, book));
    }
  }
  if (texts.length === 0) return undefined;
  const ids = texts.map((_, index) => `${prefix}/${index}`);
  const input = { path: 'again' };
  return {
    users: [],
    idleSeconds: undefined,
    answer: ids.map((callId) => ({
      type: 'tool_call',
      callId,
      name: 'look_again',
      input,
      tok: book.unscaled(CALL_TOKENS),
    })),
    results: texts.map(({ text, tokens }, index) => ({
      callId: ids[index] ?? '',
      name: 'look_again',
      text,
      tok: book.unscaled(tokens),
    })),
  };
}

/** The whole text if it is short enough, else what stands around the line. */
function cutAround(text: string, line: string, book: TokenBook): { text: string; tokens: number } {
  const tokens = book.ofText(text);
  if (tokens <= LONGEST_RE_READ) return { text, tokens };
  const units = Math.floor((text.length * LONGEST_RE_READ) / tokens);
  const start = Math.max(0, Math.min(text.indexOf(line) - Math.floor(units / 2), text.length - units));
  return { text: clipUnits(text.slice(start), units).toWellFormed(), tokens: LONGEST_RE_READ };
}
