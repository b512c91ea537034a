// The second model for summaries as it is set at this moment.
import type { FallbackChoice } from '../../core/agent/compactor.ts';
import type { FallbackTargets } from '../../core/agent/fallbackTargets.ts';
import { parseModelId, settings } from '../settings.ts';

const MINUTE_MS = 60_000;

/** Undefined: none is set. */
export function fallbackChoice(targets: FallbackTargets, cacheKey: string): FallbackChoice | undefined {
  const fallback = settings.compactionFallback();
  if (!fallback) return undefined;
  return {
    after: fallback.idleMinutes * MINUTE_MS,
    resolve: async () => {
      const ref = parseModelId(fallback.id);
      if (!ref) throw new Error(`steiner.compaction.fallback.model is "${fallback.id}" and names no model`);
      return targets.get(ref, cacheKey);
    },
  };
}
