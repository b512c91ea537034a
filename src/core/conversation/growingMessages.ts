// The messages of a request, made while the conversation grows. Only the round that is open can still change; what was
// made of the rounds before it is kept and shared, frozen, by all requests of the generation.
import interruptedNote from '../../../templates/notes/interrupted.md';
import { deepFrozen } from '../platform/freeze.ts';
import { wellFormed } from '../platform/text.ts';
import { UniqueCallIds } from './callIds.ts';
import type { Generation } from './generation.ts';
import type { AssistantMessage, Message } from './message.ts';
import { renderParts } from './parts.ts';
import { assistantBlocks, resultBlock, type Standing, type ToolResultBlock, userBlocks } from './projectMessage.ts';
import { INTERRUPTED_CALL } from './repair.ts';
import type { RequestAssistantBlock, RequestMessage, RequestUserBlock } from './request.ts';
import { type AnsweredCall, OpenRound, type Round } from './rounds.ts';
import { Running } from './running.ts';
import { markSettled } from './settledMessages.ts';

const INTERRUPTED: RequestUserBlock = { type: 'text', text: interruptedNote.trim() };

/** The messages of the open round, which stand at and after `from`: the first may continue an earlier one. */
interface Tail {
  from: number;
  messages: RequestMessage[];
}

class GrowingMessages {
  readonly #round = new OpenRound();
  readonly #ids = new UniqueCallIds();
  /** Of rounds that are over. Only the last one can still be continued, by a message that takes its place. */
  readonly #over: RequestMessage[];
  /** Ids that the calls of the open round have on the wire, in call order. */
  #callIds: string[] = [];
  /** Undefined: something was added since it was made. */
  #tail: Tail | undefined;
  #lostThinking = false;

  constructor({ head, carried }: Generation) {
    const content = renderParts([{ kind: 'text', text: head.sessionDate }, ...carried]);
    this.#over = content.length === 0 ? [] : [deepFrozen({ role: 'user', content })];
  }

  add(message: Message, standing: Standing): void {
    if (message.role === 'assistant') this.#endRound();
    this.#round.add(message, standing);
    this.#tail = undefined;
    if (message.role !== 'assistant') return;
    this.#callIds = this.#round.current.calls.map(({ call }) => this.#ids.claim(wellFormed(call.callId)));
    if (standing === 'retained') this.#lostThinking = hasCalls(message);
    else if (!hasCalls(message) && assistantBlocks(message, 'appended').length > 0) this.#lostThinking = false;
  }

  /**
   * Inside a tool loop a provider wants thinking back with the calls it led to. When the generation was made in the
   * middle of the loop it is gone, so thinking stays off until an answer without calls has ended the loop (design
   * invariant 8).
   */
  get lostThinking(): boolean {
    return this.#lostThinking;
  }

  /** Frozen, as are the messages. */
  list(): readonly RequestMessage[] {
    const { from, messages } = this.#openTail();
    // One copy: in a long conversation the list itself is what takes time.
    const list = Object.freeze(this.#over.toSpliced(from, this.#over.length - from, ...messages));
    markSettled(list, this, Math.max(this.#over.length - 1, 0));
    return list;
  }

  #endRound(): void {
    const { from, messages } = this.#openTail();
    this.#over.splice(from, this.#over.length - from, ...messages);
  }

  #openTail(): Tail {
    this.#tail ??= tailOf(this.#over, saidIn(this.#round.current, this.#callIds));
    return this.#tail;
  }
}

/** Of a view: the same object for each view of a generation that a lineage has. */
export const growingMessages = new Running((generation) => new GrowingMessages(generation));

function hasCalls({ blocks }: AssistantMessage): boolean {
  return blocks.some(({ type }) => type === 'tool_call');
}

/** The round as at most one message of each side, in order. */
function saidIn({ assistant, calls, users }: Round, callIds: readonly string[]): RequestMessage[] {
  const blocks = assistant ? assistantBlocks(assistant.message, assistant.standing) : [];
  const content = [
    ...calls.map((answered, index) => answerTo(answered, callIds[index] ?? '')),
    // Said by the user's side, so that the request never ends in an answer that the model would have to go on with.
    ...(assistant?.message.incomplete ? [INTERRUPTED] : []),
    ...users.flatMap(({ message, standing }) => userBlocks(message, standing)),
  ];
  const said: RequestMessage[] = [
    { role: 'assistant', content: withCallIds(blocks, callIds) },
    { role: 'user', content },
  ];
  return said.filter((message) => message.content.length > 0);
}

/** Roles alternate: a message of the side that spoke last takes its place, with what was said before. */
function tailOf(over: readonly RequestMessage[], [first, ...others]: readonly RequestMessage[]): Tail {
  if (!first) return { from: over.length, messages: [] };
  const joined = joinedTo(over.at(-1), first);
  const from = joined ? over.length - 1 : over.length;
  return { from, messages: deepFrozen([joined ?? first, ...others]) };
}

function joinedTo(last: RequestMessage | undefined, next: RequestMessage): RequestMessage | undefined {
  if (last?.role === 'user' && next.role === 'user')
    return { role: 'user', content: [...last.content, ...next.content] };
  if (last?.role !== 'assistant' || next.role !== 'assistant') return undefined;
  return { role: 'assistant', content: [...last.content, ...next.content] };
}

function withCallIds(blocks: RequestAssistantBlock[], callIds: readonly string[]): RequestAssistantBlock[] {
  let index = 0;
  return blocks.map((block) => {
    if (block.type !== 'tool_call') return block;
    const callId = callIds[index++] ?? block.callId;
    return callId === block.callId ? block : { ...block, callId };
  });
}

/** A call without a result is answered in the projection, so that no request can break rule R1. */
function answerTo({ result }: AnsweredCall, callId: string): ToolResultBlock {
  if (!result) return { type: 'tool_result', callId, content: INTERRUPTED_CALL, isError: true };
  const block = resultBlock(result);
  return block.callId === callId ? block : { ...block, callId };
}
