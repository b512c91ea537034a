// Is the provider's prompt cache still warm? Known from the last main model call that was answered (seed heading
// "Compaction fallback", LastMainRequest). Summary calls do not count: they leave the conversation's cache as it was.
import { isSameModel } from '../conversation/modelId.ts';
import type { ModelRef } from '../conversation/request.ts';

/** The last main model call that was answered in full. */
export interface LastMainRequest {
  /** Milliseconds since the epoch. */
  at: number;
  model: ModelRef;
  cacheKey: string;
}

/** Another model or another cache key has nothing of this conversation in its cache, so the entry says nothing. */
export function matchingMainRequest(
  last: LastMainRequest | undefined,
  model: ModelRef,
  cacheKey: string,
): LastMainRequest | undefined {
  return last && isSameModel(last.model, model) && last.cacheKey === cacheKey ? last : undefined;
}

/** `idleMs`: how long a cache stays warm after a call. */
export function isCacheCold(last: LastMainRequest | undefined, now: number, idleMs: number): boolean {
  return last === undefined || now - last.at > idleMs;
}
