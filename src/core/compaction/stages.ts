// The two stages of a compaction and their figures (fact sheet sections 5.3 and 6.4). All figures are tokens.

export type StageName = 'normal' | 'emergency';

interface StageFigures {
  /** Chunks that stay as they are. */
  keptChunks: number;
  /** Share of the window that the summary may have. */
  summaryPercent: number;
  leastSummary: number;
  mostSummary: number;
}

const FIGURES: Record<StageName, StageFigures> = {
  normal: { keptChunks: 3, summaryPercent: 8, leastSummary: 6_144, mostSummary: 20_480 },
  emergency: { keptChunks: 1, summaryPercent: 4, leastSummary: 3_072, mostSummary: 10_240 },
};

export function keptChunks(stage: StageName): number {
  return FIGURES[stage].keptChunks;
}

/** The longest summary, never longer than the model can answer. */
export function summaryMaxTokens(stage: StageName, contextWindow: number, maxOutputTokens: number): number {
  const { summaryPercent, leastSummary, mostSummary } = FIGURES[stage];
  const share = Math.floor((contextWindow * summaryPercent) / 100);
  return Math.min(Math.max(share, leastSummary), mostSummary, maxOutputTokens);
}
