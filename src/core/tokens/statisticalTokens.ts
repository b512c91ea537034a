// An estimate without any tokenizer, in one pass over the UTF-16 units: the built-in model counts by it, and the first
// moments do, until the tokenizer is loaded. Fitted to o200k counts of test/fixtures/token-counts.
import { scriptOf } from './scripts.ts';

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
  furtherNewline: 0.06,
  indent: 0.02,
  accented: 0.45,
};

/** Of what a character costs Claude, about this share is what it costs o200k. */
const SHARE_OF_CLAUDE = 0.68;

/** No whole number; 0 only for the empty text. */
export function statisticalTokens(text: string): number {
  let tokens = 0;
  let wordUnits = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    wordUnits = isLower(unit) ? wordUnits + 1 : 0;
    if (wordUnits > 0) tokens += letterCost(wordUnits, previous);
    else tokens += unit < 0x80 ? asciiCost(unit, previous) : wideCost(unit);
    previous = unit;
  }
  return tokens;
}

function letterCost(wordUnits: number, previous: number): number {
  if (wordUnits === 1) return isUpper(previous) ? COST.capitalisedRest : COST.word;
  return wordUnits > WORD_UNITS ? COST.wordRest : 0;
}

function asciiCost(unit: number, previous: number): number {
  if (isUpper(unit)) return COST.capital;
  if (isDigit(unit)) return COST.digit;
  if (unit === SPACE || unit === TAB) return previous === SPACE || previous === NEWLINE ? COST.indent : 0;
  if (unit === NEWLINE) return previous === NEWLINE ? COST.furtherNewline : COST.newline;
  return isSymbol(previous) ? COST.furtherMark : COST.mark;
}

function wideCost(unit: number): number {
  return unit < 0x370 ? COST.accented : scriptOf(unit).cost * SHARE_OF_CLAUDE;
}

const SPACE = 0x20;
const TAB = 0x09;
const NEWLINE = 0x0a;

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
