// When a second model writes the summaries, and what is said about it (seed heading "Compaction fallback"). With a
// cold cache the main model would read the whole conversation at full price; a cheaper model can do that as well.
import { createHash } from 'node:crypto';
import { isCacheCold, type LastMainRequest } from '../cache/cacheClock.ts';
import type { FallbackOutcome } from '../conversation/generation.ts';
import { formatModelId } from '../conversation/modelId.ts';
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import type { SummaryTarget } from './compactionInput.ts';

const MINUTE_MS = 60_000;

export interface CompactionFallback {
  /** Milliseconds without a main request after which the cache counts as cold. Not positive: there is no fallback. */
  after: number;
  /** Builds the second model. Errors: the attempt has failed, and main writes the summary. Absent: no fallback. */
  resolve?: (() => Promise<SummaryTarget>) | undefined;
}

/** What a summary request of the fallback may hold is more than its model takes. */
export class FallbackNotFitError extends Error {
  readonly ref: ModelRef;

  constructor(ref: ModelRef) {
    super(`the conversation does not fit ${formatModelId(ref)}`);
    this.name = 'FallbackNotFitError';
    this.ref = ref;
  }
}

/** Why the fallback is chosen; undefined: the cache is warm, or there is no fallback. */
export function fallbackReason(
  { after, resolve }: CompactionFallback,
  last: LastMainRequest | undefined,
  now: number,
): string | undefined {
  if (!(after > 0) || !resolve || !isCacheCold(last, now, after)) return undefined;
  return last === undefined ? 'no recent request' : idleReason(now - last.at, after);
}

export function fallbackUsed(ref: ModelRef, reason: string): FallbackOutcome {
  return { fallbackStatus: 'used', fallbackReason: reason, compactionModel: formatModelId(ref) };
}

export function fallbackSkipped(error: unknown): FallbackOutcome {
  const reason =
    error instanceof FallbackNotFitError
      ? `context too large for ${formatModelId(error.ref)}`
      : `fallback failed: ${error instanceof Error ? error.message : String(error)}`;
  return { fallbackStatus: 'skipped', fallbackReason: reason };
}

/**
 * A copy for another model that takes nothing of the main conversation along but its text: no cache markers, a cache
 * key of its own, no backend state, and no thinking, which is bound to the model that thought it.
 */
export function isolatedRequest(source: ModelRequest, { provider, model }: ModelRef): ModelRequest {
  const { thinkingBudget: _budget, backendState: _state, ...request } = structuredClone(source);
  const identity = createHash('sha256')
    .update(JSON.stringify([source.cacheKey, provider, model]))
    .digest('hex');
  return {
    ...request,
    model,
    breakpoints: [],
    cacheKey: `compaction-${identity.slice(0, 32)}`,
    messages: request.messages.map((message) =>
      message.role === 'user'
        ? message
        : {
            ...message,
            content: message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking'),
          },
    ),
  };
}

/** Whole minutes, or exact durations where those would look equal. */
function idleReason(idleMs: number, afterMs: number): string {
  const [idle, after] = [Math.floor(idleMs / MINUTE_MS), Math.floor(afterMs / MINUTE_MS)];
  return idle === after ? `idle ${exact(idleMs)} > ${exact(afterMs)}` : `idle ${idle}m > ${after}m`;
}

/** For example `5m0s`, `4m30.25s`. */
function exact(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  return `${minutes}m${(ms - minutes * MINUTE_MS) / 1_000}s`;
}
