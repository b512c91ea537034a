// Does a request fit the model's window? Rules and figures: fact sheet sections 5.3 and 6. All figures are tokens.

/** What an answer gets at least when the window is short and no limit was asked for. */
const DEFAULT_MAX_OUTPUT = 4_096;

/** Names under which servers take an output limit, in the order in which they are looked up. */
const LIMIT_KEYS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;

/** Where a request can ask for an output limit. */
export interface ExplicitLimits {
  /** The request's own. */
  explicitMaxTokens?: number;
  /** Fields added to the request's body, which win over `params`. */
  extraParams?: Readonly<Record<string, unknown>>;
  params?: Readonly<Record<string, unknown>>;
}

interface PromptInWindow {
  /** Calibrated estimate of the whole prompt. */
  promptTokens: number;
  contextWindow: number;
}

export interface FitInput extends PromptInWindow, ExplicitLimits {
  /** The model's longest answer. */
  maxOutputTokens: number;
}

export interface CompactionFitInput extends PromptInWindow {
  /** The model's longest answer. */
  maxOutputTokens: number;
  /** The longest summary of the stage. */
  summaryMaxTokens: number;
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
export function fitRequest(input: FitInput): Fit {
  const explicit = explicitMaxTokensValue(input);
  const reserve =
    explicit === undefined
      ? clampUnsetCompletionReserve(input.maxOutputTokens, input)
      : lowerToExplicitMaxTokens(input.maxOutputTokens, explicit);
  return fitWithReserve(input, reserve);
}

/** A compaction request has a reserve of its own, the summary's cap: it is never clamped to the room that is left. */
export function fitCompactionRequest(input: CompactionFitInput): Fit {
  return fitWithReserve(input, lowerToExplicitMaxTokens(input.maxOutputTokens, input.summaryMaxTokens));
}

/** The first positive limit: the request's own, then the keys of `extraParams`, then those of `params`. */
export function explicitMaxTokensValue({ explicitMaxTokens, extraParams, params }: ExplicitLimits): number | undefined {
  const byKey = (from: ExplicitLimits['params']) => LIMIT_KEYS.map((key) => from?.[key]);
  return [explicitMaxTokens, ...byKey(extraParams), ...byKey(params)].find(isPositive);
}

/** The smaller of both; the explicit one where there is no reserve yet. */
export function lowerToExplicitMaxTokens(reserve: number | undefined, explicit: number): number {
  return isPositive(reserve) ? Math.min(reserve, explicit) : explicit;
}

/** What is left after prompt and margin, but no less than the smaller of the reserve and 4,096. */
export function clampUnsetCompletionReserve(reserve: number, { promptTokens, contextWindow }: PromptInWindow): number {
  const left = contextWindow - promptTokens - safetyMarginTokens(contextWindow);
  return Math.max(Math.min(reserve, DEFAULT_MAX_OUTPUT), Math.min(reserve, left));
}

/** Room for the error of our estimate: 1% of the window, between 256 and 2,048. */
export function safetyMarginTokens(contextWindow: number): number {
  return Math.min(Math.max(Math.floor(contextWindow / 100), 256), 2_048);
}

function fitWithReserve({ promptTokens, contextWindow }: PromptInWindow, reserve: number): Fit {
  const margin = safetyMarginTokens(contextWindow);
  const total = promptTokens + reserve + margin;
  return {
    fits: total <= contextWindow,
    reservedCompletionTokens: reserve,
    safetyMarginTokens: margin,
    totalTokens: total,
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
