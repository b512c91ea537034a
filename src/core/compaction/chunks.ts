import type { Message } from '../conversation/message.ts';

/**
 * The units of retention: one model call with its tool results, and the user message that led to it (fact sheet
 * section 6.2). Calls and their results are never split.
 */
export function chunksOf(messages: readonly Message[]): Message[][] {
  const chunks: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'tool') joinWithCall(chunks, message.callId);
    const current = chunks.at(-1);
    if (current && !opensChunk(message, current)) current.push(message);
    else chunks.push([message]);
  }
  return chunks;
}

function opensChunk(message: Message, current: readonly Message[]): boolean {
  if (message.role === 'tool') return false;
  return message.role === 'user' || current.some(({ role }) => role === 'assistant');
}

/** A user message recorded between a call and its result does not tear them apart. */
function joinWithCall(chunks: Message[][], callId: string): void {
  const from = chunks.findLastIndex((chunk) => chunk.some(({ role }) => role === 'assistant'));
  if (from >= 0 && chunks[from]?.some((message) => calls(message, callId))) chunks.push(chunks.splice(from).flat());
}

function calls(message: Message, callId: string): boolean {
  return (
    message.role === 'assistant' &&
    message.blocks.some((block) => block.type === 'tool_call' && block.callId === callId)
  );
}
