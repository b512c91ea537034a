// What the agent needs to know to call a model: one value per turn, so that a running turn keeps its settings
// while the user changes them (case A13).
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import type { ModelCapabilities, Provider } from '../providers/provider.ts';
import type { Calibration } from '../tokens/calibration.ts';

export interface ModelAccess {
  ref: ModelRef;
  provider: Provider;
  capabilities: ModelCapabilities;
  /** Tokens; 0: thinking is off. */
  thinkingBudget: number;
}

export interface PromptEstimate {
  /** Calibrated by the provider's usage. */
  tokens: number;
  raw: number;
}

/** Tokens of a request before any calibration. */
export type RawEstimator = (request: ModelRequest, ref: ModelRef) => number;

export function calibratedEstimate(
  request: ModelRequest,
  ref: ModelRef,
  estimateRaw: RawEstimator,
  calibration: Calibration,
): PromptEstimate {
  const raw = estimateRaw(request, ref);
  return { raw, tokens: calibration.apply(ref, raw) };
}
