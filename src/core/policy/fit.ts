// Does a request fit the model's window? Rules and figures: fact sheet sections 5.3 and 6. All figures are tokens.

/** What an answer gets at least when the window is short and no limit was asked for. */
const DEFAULT_MAX_OUTPUT = 4_096;

export interface FitInput {
  /** Calibrated estimate of the whole prompt. */
  promptTokens: number;
  contextWindow: number;
  /** The model's longest answer. */
  maxOutputTokens: number;
  /** A limit asked for by this request; without one the answer gets what room is left. */
  explicitMaxTokens?: number;
}

export interface Fit {
  fits: boolean;
  /** How long the answer may be. */
  reservedCompletionTokens: number;
  safetyMarginTokens: number;
  /** Prompt, reserve and margin. */
  totalTokens: number;
}

/** Design invariant 9: prompt + completion reserve + safety margin must not exceed the window. */
export function fitRequest({ promptTokens, contextWindow, maxOutputTokens, explicitMaxTokens }: FitInput): Fit {
  const margin = safetyMarginTokens(contextWindow);
  const reserve =
    explicitMaxTokens === undefined
      ? Math.max(
          Math.min(maxOutputTokens, DEFAULT_MAX_OUTPUT),
          Math.min(maxOutputTokens, contextWindow - promptTokens - margin),
        )
      : Math.min(maxOutputTokens, explicitMaxTokens);
  const total = promptTokens + reserve + margin;
  return {
    fits: total <= contextWindow,
    reservedCompletionTokens: reserve,
    safetyMarginTokens: margin,
    totalTokens: total,
  };
}

/** Room for the error of our estimate: 1% of the window, between 256 and 2,048. */
export function safetyMarginTokens(contextWindow: number): number {
  return Math.min(Math.max(Math.floor(contextWindow / 100), 256), 2_048);
}
