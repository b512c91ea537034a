// One stored message as the model receives it. Stored messages never change, so each projection is made once and
// kept for as long as its message lives: a request over thousands of old messages costs only their order.
import noOutputNote from '../../../templates/notes/no-output.md';
import { wellFormed } from '../platform/text.ts';
import { healedValue } from './healedValue.ts';
import type { AssistantBlock, AssistantMessage, ToolMessage, UserMessage } from './message.ts';
import { inDeliveryOrder, isSkillPart, renderParts } from './parts.ts';
import type { RequestAssistantBlock, RequestUserBlock } from './request.ts';

/**
 * `retained`: the message was carried over from an earlier generation. Its thinking is bound to a prefix that no
 * longer exists, and active skills stand in the generation's carried parts.
 */
export type Standing = 'retained' | 'appended';

export type ToolResultBlock = Extract<RequestUserBlock, { type: 'tool_result' }>;

export const userBlocks = perStanding((message: UserMessage, standing): RequestUserBlock[] => {
  const parts = standing === 'retained' ? message.parts.filter((part) => !isSkillPart(part)) : message.parts;
  return renderParts(inDeliveryOrder(parts));
});

/** Empty: nothing of the message may be sent. */
export const assistantBlocks = perStanding((message: AssistantMessage, standing): RequestAssistantBlock[] => {
  const blocks = message.blocks.flatMap((block) => assistantBlock(block));
  const keepsThinking = standing === 'appended' && !endsInThinking(blocks) && blocks.every(isSendable);
  return trimmedEnd(keepsThinking ? blocks : blocks.filter((block) => !isThinking(block)));
});

const results = new WeakMap<ToolMessage, ToolResultBlock>();

export function resultBlock(message: ToolMessage): ToolResultBlock {
  const known = results.get(message);
  if (known) return known;
  const content = wellFormed(message.content);
  const block: ToolResultBlock = {
    type: 'tool_result',
    callId: wellFormed(message.callId),
    content: content.trim() === '' ? noOutputNote.trim() : content,
    isError: message.status !== 'ok',
  };
  results.set(message, block);
  return block;
}

function assistantBlock(block: AssistantBlock): RequestAssistantBlock[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(block.text) }];
    case 'tool_call': {
      const { callId, name, input } = block;
      return [{ type: 'tool_call', callId: wellFormed(callId), name: wellFormed(name), input: healedValue(input) }];
    }
    default:
      return [block];
  }
}

function isThinking(block: RequestAssistantBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

/** Thinking that nothing follows (the stream was cut, or only blank text came) is refused by the provider. */
function endsInThinking(blocks: readonly RequestAssistantBlock[]): boolean {
  return isThinking(blocks.at(-1));
}

/** Thinking goes back byte for byte or not at all (rule R4), so a block with a lone surrogate cannot be healed. */
function isSendable(block: RequestAssistantBlock): boolean {
  return block.type !== 'thinking' || block.thinking.isWellFormed();
}

/** The last text ends without white space wherever its message stands: what was sent once stays as it was sent. */
function trimmedEnd(blocks: RequestAssistantBlock[]): RequestAssistantBlock[] {
  const last = blocks.at(-1);
  return last?.type === 'text' ? [...blocks.slice(0, -1), { type: 'text', text: last.text.trimEnd() }] : blocks;
}

function perStanding<Stored extends object, Projected>(
  project: (message: Stored, standing: Standing) => Projected,
): (message: Stored, standing: Standing) => Projected {
  const kept: Record<Standing, WeakMap<Stored, Projected>> = { retained: new WeakMap(), appended: new WeakMap() };
  return (message, standing) => {
    const known = kept[standing].get(message);
    if (known !== undefined) return known;
    const projected = project(message, standing);
    kept[standing].set(message, projected);
    return projected;
  };
}
