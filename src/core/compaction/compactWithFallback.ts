// A whole compaction on the fallback model, else on main (seed heading "Compaction fallback"). The choice is made once:
// both stages ask the same model, and a failed attempt leaves nothing behind.
import type { LastMainRequest } from '../cache/cacheClock.ts';
import type { FallbackOutcome } from '../conversation/generation.ts';
import { isSameModel } from '../conversation/modelId.ts';
import type { ModelRef } from '../conversation/request.ts';
import { type CompactionOutcome, compact } from './compact.ts';
import type { CompactionInput } from './compactionInput.ts';
import { type CompactionFallback, fallbackReason, fallbackSkipped, fallbackUsed } from './fallback.ts';

export interface FallbackContext {
  fallback: CompactionFallback;
  /** The last call with main's model and cache key; undefined: none is known. */
  lastMainRequest: LastMainRequest | undefined;
  main: ModelRef;
}

/** Errors: those of a compaction on main, and the signal's reason; nothing has changed then. */
export async function compactWithFallback(
  input: CompactionInput,
  context: FallbackContext,
): Promise<CompactionOutcome> {
  const reason = fallbackReason(context.fallback, context.lastMainRequest, input.now);
  if (reason === undefined) return compact(input);
  let attempt: CompactionOutcome | 'same model';
  try {
    attempt = await compactOnFallback(input, context, reason);
  } catch (error) {
    if (input.signal.aborted || isCancellation(error)) throw error;
    return withFallback(await compact(input), fallbackSkipped(error));
  }
  return attempt === 'same model' ? compact(input) : attempt;
}

/** Errors: whatever the attempt fails with. What applies nothing is no failure, and nothing is said about it. */
async function compactOnFallback(
  input: CompactionInput,
  { fallback, main }: FallbackContext,
  reason: string,
): Promise<CompactionOutcome | 'same model'> {
  const target = await fallback.resolve?.();
  if (!target || isSameModel(target.ref, main)) return 'same model';
  const outcome = await compact({ ...input, target });
  return outcome.applied ? withFallback(outcome, fallbackUsed(target.ref, reason)) : outcome;
}

/** The receipts say it too, so that it can be read in the chat after a reload. */
function withFallback(outcome: CompactionOutcome, fallback: FallbackOutcome): CompactionOutcome {
  if (!outcome.applied) return { ...outcome, fallback };
  const generations = outcome.generations.map((generation) =>
    generation.receipt ? { ...generation, receipt: { ...generation.receipt, fallback } } : generation,
  );
  return { ...outcome, generations, fallback };
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
