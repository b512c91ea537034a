// Letters, symbols or blanks in an unbroken run are one piece to a byte-pair tokenizer, and its time grows with the
// square of the piece: 100,000 Chinese characters would take 40 seconds. Longer runs are counted through windows.

/** UTF-16 units; all multiples of 128, the longest token of blanks, dashes and the like. */
const WINDOW = 384;
const OVERLAP = 128;
const STEP = WINDOW - OVERLAP;

/** Runs of more windows are sampled: even at 10 MB the count stays within 1% for anything that is one kind of text. */
const MAX_WINDOWS = 256;

/** Runs up to this length are counted whole. */
const LONGEST_WHOLE = 512;

/** Start and end of each run that is too long to be counted whole, in order. */
export function* longRuns(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let kind = OTHER;
  for (let index = 0; index <= text.length; index++) {
    const next = index < text.length ? kindOf(text.charCodeAt(index)) : OTHER;
    if (next === kind && index < text.length) continue;
    if (kind !== OTHER && index - start > LONGEST_WHOLE) yield [start, index];
    start = index;
    kind = next;
  }
}

const OTHER = 0;
const LETTER = 1;
const BLANK = 2;
const SYMBOL = 3;

/** Digits end a run, as the punctuation of Chinese texts does; emoji go with the letters. */
function kindOf(unit: number): number {
  if (unit < 0x80) {
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)) return LETTER;
    if (unit <= 0x20) return BLANK;
    return unit >= 0x30 && unit <= 0x39 ? OTHER : SYMBOL;
  }
  const punctuation = (unit >= 0x2010 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f) || unit >= 0xff00;
  return punctuation ? OTHER : LETTER;
}

/**
 * Tokens of one of the `longRuns`. Two neighbouring windows share an overlap, which is counted again and taken
 * off: where a window cuts a token, its overlap is cut in the same way.
 */
export function countLongRun(run: string, count: (text: string) => number): number {
  const steps = Math.ceil((run.length - WINDOW) / STEP);
  const stride = Math.max(1, Math.ceil(steps / MAX_WINDOWS));
  const first = count(cut(run, 0, WINDOW));
  let counted = 0;
  let sampled = 0;
  for (let step = 1; step <= steps; step += stride) {
    const start = step * STEP;
    sampled += count(cut(run, start, start + WINDOW)) - count(cut(run, start, start + OVERLAP));
    counted += Math.min(run.length, start + WINDOW) - (start + OVERLAP);
  }
  return first + (sampled * (run.length - WINDOW)) / counted;
}

/** Both ends moved back to a code point boundary. */
function cut(run: string, start: number, end: number): string {
  return run.slice(boundary(run, start), boundary(run, end));
}

function boundary(run: string, index: number): number {
  const unit = run.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
