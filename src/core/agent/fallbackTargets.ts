// The fallback models of compactions, built once each (seed heading "Compaction fallback", memoisation).
import { parseModelId } from '../conversation/modelId.ts';
import type { ModelRef } from '../conversation/request.ts';
import type { ModelCapabilities } from '../providers/provider.ts';
import type { FallbackChoice } from './compactor.ts';
import type { ModelAccess } from './modelAccess.ts';

const MINUTE_MS = 60_000;

export interface FallbackModels {
  /** Limits as they are set now. */
  capabilities(ref: ModelRef): ModelCapabilities;
  /** Errors: the model cannot be called at all. */
  access(ref: ModelRef): Promise<ModelAccess>;
}

export interface FallbackSetting {
  /** As the user wrote it; it may name no model. Empty: there is no fallback. */
  model: string;
  /** Minutes without a main request after which the fallback is used; not positive: never. */
  idleMinutes: number;
}

export class FallbackTargets {
  readonly #models: FallbackModels;
  readonly #built = new Map<string, Promise<ModelAccess>>();

  constructor(models: FallbackModels) {
    this.#models = models;
  }

  /** Undefined: none is set. `cacheScope`: the cache key of the conversation. */
  choose({ model, idleMinutes }: FallbackSetting, cacheScope: string): FallbackChoice | undefined {
    if (model.trim() === '') return undefined;
    return {
      after: idleMinutes * MINUTE_MS,
      resolve: async () => {
        const ref = parseModelId(model.trim());
        if (!ref) throw new Error(`the setting steiner.compaction.fallback.model names no model: "${model}"`);
        return this.#get(ref, cacheScope);
      },
    };
  }

  /** A key or an address changed: what was built holds the old one. */
  clear(): void {
    this.#built.clear();
  }

  /** A build that failed is tried again the next time. */
  async #get(ref: ModelRef, cacheScope: string): Promise<ModelAccess> {
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
}
