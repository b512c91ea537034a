// Calls whose result never came: stop, crash, reload (case A1).
import interruptedCall from '../../../templates/notes/interrupted-call.md';
import type { IdSource } from '../platform/ids.ts';
import type { GenerationView } from './generation.ts';
import type { ToolCallBlock, ToolMessage } from './message.ts';
import { lastRound } from './rounds.ts';

/** What the model reads in place of the missing result; the projection uses the same text, so bytes stay the same. */
export const INTERRUPTED_CALL = interruptedCall.trim();

/**
 * Calls of the last answer that have no result yet. An older answer's calls cannot be answered by appending; the
 * projection answers those every time.
 */
export function unansweredCalls(view: GenerationView): ToolCallBlock[] {
  return lastRound(view).calls.flatMap(({ call, result }) => (result ? [] : [call]));
}

/** Results to append, in call order; once they are stored there is nothing left to repair. */
export function interruptedResults(view: GenerationView, { ids, now }: { ids: IdSource; now: number }): ToolMessage[] {
  const last = lastRound(view);
  if (!last.assistant) return [];
  const { turn } = last.assistant.message;
  return last.calls.flatMap(({ call, result }): ToolMessage[] =>
    result
      ? []
      : [
          {
            id: ids('tool'),
            role: 'tool',
            at: now,
            turn,
            callId: call.callId,
            name: call.name,
            status: 'interrupted',
            content: INTERRUPTED_CALL,
          },
        ],
  );
}
