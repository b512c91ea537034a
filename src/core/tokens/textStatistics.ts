// What a text is made of, in one pass over its UTF-16 units: an estimate without a tokenizer, and the shares by which
// an OpenAI count becomes a Claude count.

/** Estimated tokens by kind of character (close to o200k), and how much of the ASCII text is no plain prose. */
export interface TextStatistics {
  latin: number;
  hangul: number;
  /** Han characters, kana and other wide letters. */
  wide: number;
  /** Mostly emoji: code points beyond the Basic Multilingual Plane and what joins them. */
  pictographs: number;
  /** Other letters beyond ASCII. */
  foreign: number;
  /** Share of digits, punctuation and indentation among the ASCII characters, 0 to 1. */
  marks: number;
}

// Tokens, fitted to the texts of test/fixtures/token-counts.
const WORD_UNITS = 7;
const COST = {
  word: 1,
  /** What the small letters add to a word that began with a capital. */
  capitalisedRest: 0.35,
  wordRest: 0.25,
  capital: 0.85,
  digit: 0.85,
  mark: 0.75,
  furtherMark: 0.35,
  newline: 0.7,
  indent: 0.02,
  hangul: 0.7,
  wide: 0.78,
  pictograph: 1.7,
  foreign: 0.45,
};

export function textStatistics(text: string): TextStatistics {
  const found: TextStatistics = { latin: 0, hangul: 0, wide: 0, pictographs: 0, foreign: 0, marks: 0 };
  let wordUnits = 0;
  let ascii = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    wordUnits = isLower(unit) ? wordUnits + 1 : 0;
    if (unit < 0x80) {
      ascii += 1;
      found.latin += wordUnits > 0 ? letterCost(wordUnits, previous) : asciiCost(unit, previous);
      if (wordUnits === 0 && isMarkup(unit, previous)) found.marks += 1;
    } else {
      countBeyondAscii(found, unit);
    }
    previous = unit;
  }
  if (ascii > 0) found.marks /= ascii;
  return found;
}

/** Tokens in all. */
export function statisticalTokens({ latin, hangul, wide, pictographs, foreign }: TextStatistics): number {
  return latin + hangul + wide + pictographs + foreign;
}

function letterCost(wordUnits: number, previous: number): number {
  if (wordUnits === 1) return isUpper(previous) ? COST.capitalisedRest : COST.word;
  return wordUnits > WORD_UNITS ? COST.wordRest : 0;
}

function asciiCost(unit: number, previous: number): number {
  if (isUpper(unit)) return COST.capital;
  if (isDigit(unit)) return COST.digit;
  if (unit === SPACE || unit === TAB) return isMarkup(unit, previous) ? COST.indent : 0;
  if (unit === NEWLINE) return previous === NEWLINE ? 0 : COST.newline;
  return isSymbol(previous) ? COST.furtherMark : COST.mark;
}

function countBeyondAscii(found: TextStatistics, unit: number): void {
  // The second half of a pair: counted with its first.
  if (unit >= 0xdc00 && unit <= 0xdfff) return;
  if ((unit >= 0xd800 && unit <= 0xdbff) || unit === 0x200d || (unit >= 0xfe00 && unit <= 0xfe0f)) {
    found.pictographs += COST.pictograph;
  } else if ((unit >= 0xac00 && unit <= 0xd7a3) || (unit >= 0x1100 && unit <= 0x11ff)) {
    found.hangul += COST.hangul;
  } else if (unit >= 0x2e80) {
    found.wide += COST.wide;
  } else {
    found.foreign += COST.foreign;
  }
}

const SPACE = 0x20;
const TAB = 0x09;
const NEWLINE = 0x0a;

/** Anything but letters and the single spaces between words. */
function isMarkup(unit: number, previous: number): boolean {
  if (unit === SPACE) return previous === SPACE || previous === NEWLINE;
  return !isUpper(unit) && !isLower(unit);
}

function isSymbol(unit: number): boolean {
  return unit > SPACE && unit < 0x7f && !isLower(unit) && !isUpper(unit) && !isDigit(unit);
}

function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
