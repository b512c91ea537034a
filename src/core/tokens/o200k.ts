// OpenAI's o200k tokenizer, loaded on first need: its table takes about 100 ms and several megabytes.
import { clipUnits } from '../platform/text.ts';

type CountTokens = (text: string) => number;

let counter: CountTokens | undefined;
let loading: Promise<void> | undefined;

/** Resolves when `o200kCounter` gives the tokenizer. */
export function loadO200k(): Promise<void> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    // Text that looks like a special token is plain text: it comes from users and files.
    const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
    counter = (text) => countInPieces(text, (piece) => countTokens(piece, asText));
  });
  return loading;
}

/** Undefined until `loadO200k` has resolved. */
export function o200kCounter(): CountTokens | undefined {
  return counter;
}

/**
 * Letters, symbols or blanks in an unbroken run are one piece to the tokenizer, and its time grows with the square of
 * the piece: 100,000 Chinese characters would take 40 seconds. Longer runs are counted in pieces of this many units.
 */
const MAX_RUN = 96;
const LONG_RUN = new RegExp(`[\\p{L}\\p{M}]{${MAX_RUN},}|[^\\s\\p{L}\\p{N}]{${MAX_RUN},}|\\s{${MAX_RUN},}`, 'gu');

function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0;
  let done = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    if (match.index > done) tokens += count(text.slice(done, match.index));
    for (const piece of piecesOf(match[0])) tokens += count(piece);
    done = match.index + match[0].length;
  }
  return done < text.length ? tokens + count(text.slice(done)) : tokens;
}

function* piecesOf(run: string): Generator<string> {
  for (let rest = run; rest !== ''; ) {
    const piece = clipUnits(rest, MAX_RUN);
    yield piece;
    rest = rest.slice(piece.length);
  }
}
