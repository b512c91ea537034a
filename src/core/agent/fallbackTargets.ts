// The fallback models of compactions, built once each (seed heading "Compaction fallback", memoisation).
import type { ModelRef } from '../conversation/request.ts';
import type { ModelCapabilities } from '../providers/provider.ts';
import type { ModelAccess } from './modelAccess.ts';

export interface FallbackModels {
  /** Limits as they are set now. */
  capabilities(ref: ModelRef): ModelCapabilities;
  /** Errors: the model cannot be called at all. */
  access(ref: ModelRef): Promise<ModelAccess>;
}

export class FallbackTargets {
  readonly #models: FallbackModels;
  readonly #built = new Map<string, Promise<ModelAccess>>();

  constructor(models: FallbackModels) {
    this.#models = models;
  }

  /** `cacheScope`: the cache key of the conversation. A build that failed is tried again. Errors: those of `access`. */
  async get(ref: ModelRef, cacheScope: string): Promise<ModelAccess> {
    const key = JSON.stringify([ref.provider, ref.model, cacheScope]);
    const known = this.#built.get(key);
    const building = known ?? this.#models.access(ref);
    if (!known) this.#built.set(key, building);
    try {
      return { ...(await building), capabilities: this.#models.capabilities(ref) };
    } catch (error) {
      if (this.#built.get(key) === building) this.#built.delete(key);
      throw error;
    }
  }

  /** A key or an address changed: what was built holds the old one. */
  clear(): void {
    this.#built.clear();
  }
}
