// No JavaScript tokenizer counts Claude well, so a Claude count is an o200k count times a factor that depends on what
// the text is made of. Fitted to test/fixtures/token-counts (Claude counts of an offline reconstruction); two recorded
// sessions with reported usage, of 176,000 and 47,000 tokens, come out 1% low and 22% high before calibration.
import { statisticalTokens, type TextStatistics } from './textStatistics.ts';

/** Claude counts by two vocabularies: that of Claude 3 to 4.6, and that of 4.7 and later. */
export type ClaudeVocabulary = 'to-4.6' | 'from-4.7';

interface Factors {
  prose: number;
  code: number;
  foreign: number;
}

const FACTORS: Record<ClaudeVocabulary, Factors> = {
  'to-4.6': { prose: 1.02, code: 1.28, foreign: 1.35 },
  'from-4.7': { prose: 1.335, code: 1.54, foreign: 1.45 },
};
const HANGUL = 1.92;
const WIDE = 1.43;
const PICTOGRAPHS = 1.38;

/** Share of marks up to which a text is prose, and from which it is code or data. */
const PROSE_MARKS = 0.04;
const CODE_MARKS = 0.14;

/** What to multiply an o200k count of the text with. */
export function claudeFactor(statistics: TextStatistics, vocabulary: ClaudeVocabulary): number {
  const all = statisticalTokens(statistics);
  const { prose, code, foreign } = FACTORS[vocabulary];
  if (all === 0) return prose;
  const codeShare = Math.min(1, Math.max(0, (statistics.marks - PROSE_MARKS) / (CODE_MARKS - PROSE_MARKS)));
  const latin = prose + (code - prose) * codeShare;
  const weighted =
    statistics.latin * latin +
    statistics.hangul * HANGUL +
    statistics.wide * WIDE +
    statistics.pictographs * PICTOGRAPHS +
    statistics.foreign * foreign;
  return weighted / all;
}
