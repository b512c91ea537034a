// What little room a model may have (design section 11, "Small windows"). All figures are tokens.

/** Below this the prompt has the reduced preamble and tool set. */
const REDUCED_BELOW = 16_384;

/** Below this there is no room for the fixed part, a step of work and an answer. */
export const SMALLEST_WINDOW = 8_192;

/** The results of one answer may take an eighth of a small window together, at a low guess of 3 bytes a token. */
const RESULTS_SHARE = 1 / 8;
const BYTES_PER_TOKEN = 3;
/** UTF-8 bytes; less says nothing. */
const LEAST_RESULT = 512;

export function isSmallWindow(contextWindow: number): boolean {
  return contextWindow < REDUCED_BELOW;
}

/** UTF-8 bytes that each of `count` results of one answer may have in a small window; undefined: as many as anywhere. */
export function smallWindowResultBytes(contextWindow: number, count: number): number | undefined {
  if (!isSmallWindow(contextWindow)) return undefined;
  return Math.max(Math.floor((contextWindow * RESULTS_SHARE * BYTES_PER_TOKEN) / count), LEAST_RESULT);
}
