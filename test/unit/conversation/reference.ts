// The projection once more, in the plainest way: from all messages of a view at once, with nothing kept between calls.
// What the product computes while a conversation grows must equal it.
import { UniqueCallIds } from '../../../src/core/conversation/callIds.ts';
import type { GenerationView } from '../../../src/core/conversation/generation.ts';
import type {
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolMessage,
  UserMessage,
} from '../../../src/core/conversation/message.ts';
import { renderParts } from '../../../src/core/conversation/parts.ts';
import {
  assistantBlocks,
  resultBlock,
  type Standing,
  userBlocks,
} from '../../../src/core/conversation/projectMessage.ts';
import { INTERRUPTED_CALL } from '../../../src/core/conversation/repair.ts';
import type {
  RequestAssistantBlock,
  RequestMessage,
  RequestUserBlock,
} from '../../../src/core/conversation/request.ts';
import { wellFormed } from '../../../src/core/platform/text.ts';
import interruptedNote from '../../../templates/notes/interrupted.md';

interface ReferenceRound {
  assistant?: { message: AssistantMessage; standing: Standing };
  calls: { call: ToolCallBlock; result: ToolMessage | undefined }[];
  users: { message: UserMessage; standing: Standing }[];
}

export function referenceRounds({ retained, appended }: GenerationView): ReferenceRound[] {
  const standings = [
    ...retained.map((message): [Message, Standing] => [message, 'retained']),
    ...appended.map((message): [Message, Standing] => [message, 'appended']),
  ];
  const starts = standings.flatMap(([{ role }], index) => (role === 'assistant' ? [index] : []));
  return [0, ...starts].map((start, round) => {
    const said = standings.slice(start, starts[round] ?? standings.length);
    const [first] = said;
    const assistant = round > 0 && first?.[0].role === 'assistant' ? first[0] : undefined;
    const results = said.flatMap(([message]) => (message.role === 'tool' ? [message] : []));
    const calls = (assistant?.blocks ?? []).filter((block) => block.type === 'tool_call');
    return {
      ...(assistant && first ? { assistant: { message: assistant, standing: first[1] } } : {}),
      calls: calls.map((call, index) => {
        // The same id twice in one answer: results go to the calls in order.
        const earlier = calls.slice(0, index).filter(({ callId }) => callId === call.callId).length;
        return { call, result: results.filter(({ callId }) => callId === call.callId)[earlier] };
      }),
      users: said.flatMap(([message, standing]) => (message.role === 'user' ? [{ message, standing }] : [])),
    };
  });
}

export function referenceMessages(view: GenerationView): RequestMessage[] {
  const { head, carried } = view.generation;
  const ids = new UniqueCallIds();
  const said: RequestMessage[] = [
    { role: 'user', content: renderParts([{ kind: 'text', text: head.sessionDate }, ...carried]) },
  ];
  for (const { assistant, calls, users } of referenceRounds(view)) {
    if (assistant) {
      const { message, standing } = assistant;
      const callIds = calls.map(({ call }) => ids.claim(wellFormed(call.callId)));
      said.push({ role: 'assistant', content: renamed(assistantBlocks(message, standing), callIds) });
      said.push({ role: 'user', content: calls.map(({ result }, index) => answer(result, callIds[index] ?? '')) });
      const note: RequestUserBlock = { type: 'text', text: interruptedNote.trim() };
      if (message.incomplete) said.push({ role: 'user', content: [note] });
    }
    for (const { message, standing } of users) said.push({ role: 'user', content: userBlocks(message, standing) });
  }
  return alternating(said.filter(({ content }) => content.length > 0));
}

export function referenceLostThinking({ retained, appended }: GenerationView): boolean {
  const lastKept = retained.findLast((message) => message.role === 'assistant');
  const closes = (message: Message) =>
    message.role === 'assistant' && !hasCalls(message) && assistantBlocks(message, 'appended').length > 0;
  return lastKept !== undefined && hasCalls(lastKept) && !appended.some(closes);
}

function hasCalls(message: AssistantMessage): boolean {
  return message.blocks.some(({ type }) => type === 'tool_call');
}

function renamed(blocks: readonly RequestAssistantBlock[], callIds: readonly string[]): RequestAssistantBlock[] {
  const left = [...callIds];
  return blocks.map((block) =>
    block.type === 'tool_call' ? { ...block, callId: left.shift() ?? block.callId } : block,
  );
}

function answer(result: ToolMessage | undefined, callId: string): RequestUserBlock {
  if (!result) return { type: 'tool_result', callId, content: INTERRUPTED_CALL, isError: true };
  return { ...resultBlock(result), callId };
}

function alternating(messages: readonly RequestMessage[]): RequestMessage[] {
  const joined: RequestMessage[] = [];
  for (const message of structuredClone(messages)) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') last.content.push(...message.content);
    else if (last?.role === 'assistant' && message.role === 'assistant') last.content.push(...message.content);
    else joined.push(message);
  }
  return joined;
}
