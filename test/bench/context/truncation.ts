// Dropping old messages without a summary: the recovery of a request that is too long, and a policy of its own.
import type { Generation } from '../../../src/core/conversation/generation.ts';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import { isRealUserMessage, type Message } from '../../../src/core/conversation/message.ts';

/** Keeps the first user message and the newer half of the rest. Undefined: nothing is left to drop. */
export function withoutOldestHalf(lineage: Lineage, now: number): Generation | undefined {
  const { retained, appended } = lineage.view();
  const messages = [...retained, ...appended];
  const first = messages.find(isRealUserMessage);
  const rest = messages.filter((message) => message !== first);
  const kept = fromWholeCall(rest.slice(Math.ceil(rest.length / 2)));
  if (kept.length === rest.length) return undefined;
  return keeping(lineage, first ? [first, ...kept] : kept, now);
}

/** A generation of these messages alone, with what the active one carries. */
export function keeping(lineage: Lineage, messages: readonly Message[], now: number): Generation {
  const { id, head, carried, summary } = lineage.active;
  return {
    id: lineage.nextGenerationId,
    kind: 'edited',
    parent: id,
    at: now,
    head,
    carried,
    retained: messages.map((message) => message.id),
    ...(summary === undefined ? {} : { summary }),
  };
}

/** Results whose call was dropped go with it. */
function fromWholeCall(messages: readonly Message[]): Message[] {
  const start = messages.findIndex(({ role }) => role !== 'tool');
  return start < 0 ? [] : messages.slice(start);
}
