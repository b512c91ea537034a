// What the provider reports against what we estimated, per model line. Rule of design section 11: the first sample sets
// the factor, later ones move it by 25%, within bounds. Raw estimates are kept apart and never overwritten.
import type { ModelRef } from '../conversation/request.ts';
import type { CountStrategy } from './countText.ts';
import { modelLine } from './modelLine.ts';

const SHARE_OF_LATER_SAMPLES = 0.25;
const MIN_FACTOR = 0.4;
const MAX_FACTOR = 2.5;

/** From this many samples on a calibrated estimate is trusted. */
const SAMPLES_OF_HIGH_CONFIDENCE = 3;

export type Confidence = 'high' | 'medium' | 'low';

/** A count before any calibration and where it came from. */
export interface RawEstimate {
  rawTokens: number;
  strategy: CountStrategy;
  confidence: Confidence;
}

export interface CalibratedEstimate {
  /** What fit checks use. */
  tokens: number;
  /** As it was before calibration: what usage is compared with, and what events and reports keep. */
  rawTokens: number;
  strategy: CountStrategy | 'provider_usage';
  confidence: Confidence;
}

interface ModelCalibration {
  factor: number;
  samples: number;
}

/** Plain data for storage; keys are `provider/model line`. */
export type StoredCalibration = Record<string, ModelCalibration>;

export class Calibration {
  readonly #models = new Map<string, ModelCalibration>();

  /** Entries that make no sense (a damaged store) are left out. */
  constructor(stored: StoredCalibration = {}) {
    for (const [key, { factor, samples }] of Object.entries(stored)) {
      if (isPositive(factor) && isPositive(samples)) this.#models.set(key, { factor: bounded(factor), samples });
    }
  }

  /** `rawTokens`: our estimate; `reportedTokens`: the provider's prompt tokens. Missing or absurd pairs are ignored. */
  observe(model: ModelRef, rawTokens: number, reportedTokens: number): void {
    if (!isPositive(rawTokens) || !isPositive(reportedTokens)) return;
    const ratio = bounded(reportedTokens / rawTokens);
    const known = this.#models.get(keyOf(model));
    const factor = known ? known.factor + SHARE_OF_LATER_SAMPLES * (ratio - known.factor) : ratio;
    this.#models.set(keyOf(model), { factor, samples: (known?.samples ?? 0) + 1 });
  }

  /** Scales any estimate as soon as the provider has reported once for the model, however it was counted. */
  calibrate(model: ModelRef, { rawTokens, strategy, confidence }: RawEstimate): CalibratedEstimate {
    const samples = this.samples(model);
    if (samples === 0) return { tokens: rawTokens, rawTokens, strategy, confidence };
    return {
      tokens: this.apply(model, rawTokens),
      rawTokens,
      strategy: 'provider_usage',
      confidence: samples < SAMPLES_OF_HIGH_CONFIDENCE ? 'medium' : 'high',
    };
  }

  /** Calibrated tokens; at least 1 for anything at all. */
  apply(model: ModelRef, rawTokens: number): number {
    return rawTokens > 0 ? Math.max(1, Math.round(rawTokens * this.factor(model))) : 0;
  }

  /** 1 for a model that was never seen. */
  factor(model: ModelRef): number {
    return this.#models.get(keyOf(model))?.factor ?? 1;
  }

  samples(model: ModelRef): number {
    return this.#models.get(keyOf(model))?.samples ?? 0;
  }

  toJSON(): StoredCalibration {
    return Object.fromEntries(this.#models);
  }
}

function keyOf({ provider, model }: ModelRef): string {
  return `${provider}/${modelLine(model)}`;
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function bounded(factor: number): number {
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, factor));
}
