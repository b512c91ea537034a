// The active generation as a request. Whatever the stored messages are like, the result is one that a provider
// accepts (rules R1-R4), and request N is a prefix of request N+1 within a generation (design invariant 2).
import interruptedNote from '../../../templates/notes/interrupted.md';
import { wellFormed } from '../platform/text.ts';
import { UniqueCallIds } from './callIds.ts';
import type { GenerationView } from './generation.ts';
import type { AssistantMessage, Message } from './message.ts';
import { renderParts } from './parts.ts';
import { assistantBlocks, resultBlock, type ToolResultBlock, userBlocks } from './projectMessage.ts';
import { INTERRUPTED_CALL } from './repair.ts';
import type { ModelRequest, RequestAssistantBlock, RequestMessage, RequestUserBlock } from './request.ts';
import { type AnsweredCall, roundsOf } from './rounds.ts';
import { projectSystem } from './systemZone.ts';

const INTERRUPTED: RequestUserBlock = { type: 'text', text: interruptedNote.trim() };

/** Cache markers are not placed yet. */
export function projectRequest(
  view: GenerationView,
  options: { maxOutputTokens: number; thinkingBudget?: number | undefined; cacheKey: string },
): ModelRequest {
  const { head } = view.generation;
  const thinkingLost = loopLostThinking(view);
  const thinks = options.thinkingBudget !== undefined && options.thinkingBudget > 0 && !thinkingLost;
  return {
    model: head.model.model,
    system: projectSystem(view),
    tools: head.tools,
    messages: projectMessages(view),
    maxOutputTokens: options.maxOutputTokens,
    ...(thinks ? { thinkingBudget: options.thinkingBudget } : {}),
    ...(thinkingLost ? { thinkingLost } : {}),
    breakpoints: [],
    cacheKey: options.cacheKey,
  };
}

/**
 * Inside a tool loop a provider wants thinking back with the calls it led to. When the generation was made in the
 * middle of the loop it is gone, so thinking stays off until an answer without calls has ended the loop (design invariant 8).
 */
function loopLostThinking({ retained, appended }: GenerationView): boolean {
  const closesLoop = (message: Message) =>
    message.role === 'assistant' && assistantBlocks(message, 'appended').length > 0 && !hasCalls(message);
  const lastKept = retained.findLast((message) => message.role === 'assistant');
  return lastKept !== undefined && hasCalls(lastKept) && !appended.some(closesLoop);
}

function hasCalls({ blocks }: AssistantMessage): boolean {
  return blocks.some(({ type }) => type === 'tool_call');
}

/** Roles alternate, starting with the user. Blocks are shared between calls: do not change them. */
export function projectMessages(view: GenerationView): RequestMessage[] {
  const { head, carried } = view.generation;
  const out = new AlternatingMessages();
  const ids = new UniqueCallIds();
  out.user(renderParts([{ kind: 'text', text: head.sessionDate }, ...carried]));
  for (const { assistant, calls, users } of roundsOf(view)) {
    if (assistant) {
      const blocks = assistantBlocks(assistant.message, assistant.standing);
      const callIds = calls.map(({ call }) => ids.claim(wellFormed(call.callId)));
      out.assistant(withCallIds(blocks, callIds));
      out.user(calls.map((answered, index) => answerTo(answered, callIds[index] ?? '')));
      // Said by the user's side, so that the request never ends in an answer that the model would have to go on with.
      if (assistant.message.incomplete) out.user([INTERRUPTED]);
    }
    for (const { message, standing } of users) out.user(userBlocks(message, standing));
  }
  return out.messages;
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

/** Joins neighbours of one role and leaves out what is empty. */
class AlternatingMessages {
  readonly messages: RequestMessage[] = [];

  user(blocks: readonly RequestUserBlock[]): void {
    const last = this.messages.at(-1);
    if (blocks.length === 0) return;
    if (last?.role === 'user') last.content.push(...blocks);
    else this.messages.push({ role: 'user', content: [...blocks] });
  }

  assistant(blocks: readonly RequestAssistantBlock[]): void {
    const last = this.messages.at(-1);
    if (blocks.length === 0) return;
    if (last?.role === 'assistant') last.content.push(...blocks);
    else this.messages.push({ role: 'assistant', content: [...blocks] });
  }
}
