// What little room a model may have (design section 11, "Small windows"). All figures are tokens.

/** Below this the prompt has the reduced preamble and tool set. */
const REDUCED_BELOW = 16_384;

/** Below this there is no room for the fixed part, a step of work and an answer. */
export const SMALLEST_WINDOW = 8_192;

export function isSmallWindow(contextWindow: number): boolean {
  return contextWindow < REDUCED_BELOW;
}
