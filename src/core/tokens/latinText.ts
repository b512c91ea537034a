// What a Latin text is made of, in one pass, as far as it makes Claude count otherwise than OpenAI's tokenizer does.

export interface LatinFeatures {
  /** ASCII letters. */
  letters: number;
  /** Letters with accents and their like. */
  accented: number;
  /** ASCII punctuation and symbols. */
  marks: number;
  /** Dashes, quotes, currency and other marks beyond ASCII. */
  wideMarks: number;
  /** Changes of case within a word: from small to capital, and each pair of capitals. */
  caseChanges: number;
  lineBreaks: number;
  /** Letters, accented ones included, in passages that are not English. */
  foreignLetters: number;
}

const SPACE = 0x20;
const NEWLINE = 0x0a;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;

/** A passage of about this many units is judged as one language. */
const PASSAGE = 480;

/** How many letters around it an accented letter, and a function word, marks as not English; English ones take back. */
const REACH = { accent: 40, word: 30, english: -20 };

/** Frequent small words of Latin-script languages, none of them a usual word of English or of a programming language. */
const FUNCTION_WORDS =
  `und der das ist nicht mit eine auf von zu dem les une pour dans que qui pas sur avec el los las una
por para como uma che di della sono een het niet zijn voor och att som ikke yang dan untuk dengan tidak itu dari pada nie
jest bir ve de la en le et est setiap kepada oleh akan kwa mga ang ut ipsum dolor amet enim quis`.split(/\s+/);

const ENGLISH_WORDS = 'the of and to is that for with are this be as if return'.split(' ');

const MAX_WORD = 6;
const foreignWords = new Set(FUNCTION_WORDS.map((word) => Array.from(word).reduce(packed, 0)));
const englishWords = new Set(ENGLISH_WORDS.map((word) => Array.from(word).reduce(packed, 0)));

export function latinFeatures(text: string): LatinFeatures {
  const found: LatinFeatures = {
    letters: 0,
    accented: 0,
    marks: 0,
    wideMarks: 0,
    caseChanges: 0,
    lineBreaks: 0,
    foreignLetters: 0,
  };
  let passageStart = 0;
  let lettersBefore = 0;
  let foreignReach = 0;
  let capitals = 0;
  let small = 0;
  let word = 0;
  // A run of small letters after another letter is no word of its own.
  let inWord = false;

  const endPassage = () => {
    const letters = found.letters + found.accented - lettersBefore;
    found.foreignLetters += Math.max(0, Math.min(letters, foreignReach));
    lettersBefore += letters;
    foreignReach = 0;
  };

  for (let index = 0; index <= text.length; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : SPACE;
    if (unit >= SMALL_A && unit <= SMALL_Z) {
      found.letters += 1;
      small += 1;
      capitals = 0;
      if (small <= MAX_WORD) word = word * 27 + (unit - SMALL_A + 1);
      continue;
    }
    if (small > 0) {
      if (small <= MAX_WORD && !inWord) foreignReach += reachOf(word);
      word = 0;
    }
    inWord = isLetter(unit);
    if (unit >= CAPITAL_A && unit <= CAPITAL_Z) {
      found.letters += 1;
      capitals += 1;
      if (small > 0 || capitals % 2 === 0) found.caseChanges += 1;
    } else {
      capitals = 0;
      if (unit > 0x7f) {
        if (isAccented(unit)) {
          found.accented += 1;
          foreignReach += REACH.accent;
        } else {
          found.wideMarks += 1;
        }
      } else if (unit === NEWLINE) {
        found.lineBreaks += 1;
      } else if (unit > SPACE && (unit < DIGIT_0 || unit > DIGIT_9) && unit !== 0x7f) {
        found.marks += 1;
      } else if (unit === SPACE && index - passageStart >= PASSAGE) {
        endPassage();
        passageStart = index;
      }
    }
    small = 0;
  }
  endPassage();
  return found;
}

function packed(word: number, letter: string): number {
  return word * 27 + (letter.charCodeAt(0) - SMALL_A + 1);
}

function reachOf(word: number): number {
  if (foreignWords.has(word)) return REACH.word;
  return englishWords.has(word) ? REACH.english : 0;
}

function isLetter(unit: number): boolean {
  return (unit >= CAPITAL_A && unit <= CAPITAL_Z) || isAccented(unit);
}

function isAccented(unit: number): boolean {
  return (unit >= 0xc0 && unit <= 0x36f && unit !== 0xd7 && unit !== 0xf7) || (unit >= 0x1e00 && unit <= 0x1eff);
}
