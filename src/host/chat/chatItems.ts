// What a stored message looks like in the chat. No vscode import.
import type { FallbackOutcome, Generation, PlannedReceipt, Receipt } from '../../core/conversation/generation.ts';
import {
  type AssistantBlock,
  type AssistantMessage,
  type ToolCallBlock,
  type ToolMessage,
  type UserMessage,
  type UserPart,
  userText,
} from '../../core/conversation/message.ts';
import { formatModelId } from '../../core/conversation/modelId.ts';
import { clipUnits } from '../../core/platform/text.ts';
import type { ChatItem } from '../../protocol.ts';

export type ToolItem = Extract<ChatItem, { kind: 'tool' }>;

/** UTF-16 units of a tool's output that travel to the webview; the whole opens in an editor. */
export const MAX_CARD_OUTPUT = 8_000;

export function blockId(messageId: string, index: number): string {
  return `${messageId}.${index}`;
}

/** White space would show as an empty bubble. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Undefined: nothing in it is the user's doing, only notes for the model. */
export function userItem(message: UserMessage): ChatItem | undefined {
  const text = userText(message);
  const mode = message.parts.find((part) => part.kind === 'mode_notice')?.mode;
  const skills = message.parts.flatMap(switchedSkill);
  if (isBlank(text) && mode === undefined && skills.length === 0) return undefined;
  return { kind: 'user', id: message.id, at: message.at, text, ...(mode ? { mode } : {}), skills };
}

/** In block order; a tool card is identified by its call, so that its result finds it. */
export function answerItems(message: AssistantMessage, titleOf: (call: ToolCallBlock) => string): ChatItem[] {
  return message.blocks.flatMap((block, index) => blockItem(message, block, index, titleOf) ?? []);
}

function blockItem(
  message: AssistantMessage,
  block: AssistantBlock,
  index: number,
  titleOf: (call: ToolCallBlock) => string,
): ChatItem | undefined {
  const base = { id: blockId(message.id, index), at: message.at };
  switch (block.type) {
    case 'text': {
      if (isBlank(block.text)) return undefined;
      const incomplete = message.incomplete ?? false;
      return { ...base, kind: 'assistant', markdown: block.text, streaming: false, incomplete };
    }
    case 'thinking':
      if (isBlank(block.thinking)) return undefined;
      return { ...base, kind: 'thinking', text: block.thinking, streaming: false };
    case 'redacted_thinking':
      return undefined;
    case 'tool_call':
      return {
        ...base,
        id: block.callId,
        kind: 'tool',
        name: block.name,
        title: titleOf(block),
        status: 'waiting',
        output: '',
        outputTruncated: false,
      };
  }
}

/** What a result changes on the card of its call. */
export function resultOf({ status, content, detail }: ToolMessage): Partial<ToolItem> {
  return {
    status,
    ...shortened(content),
    ...(detail?.title === undefined ? {} : { title: detail.title }),
    ...(detail?.diff === undefined ? {} : { diff: detail.diff }),
    ...(detail?.exitCode === undefined ? {} : { exitCode: detail.exitCode }),
    ...(detail?.path === undefined ? {} : { path: detail.path }),
  };
}

export function shortened(output: string): { output: string; outputTruncated: boolean } {
  return { output: clipUnits(output, MAX_CARD_OUTPUT), outputTruncated: output.length > MAX_CARD_OUTPUT };
}

export function compactionItem(generation: Generation): ChatItem {
  const { receipt } = generation;
  return {
    kind: 'compaction',
    id: `generation_${generation.id}`,
    at: generation.at,
    generationId: generation.id,
    tokensBefore: receipt?.tokensBefore ?? 0,
    tokensAfter: receipt?.tokensAfter ?? 0,
    summary: generation.summary ?? '',
    ...(receipt?.planned?.reason ? { reason: reasonLine(receipt, receipt.planned) } : {}),
    ...(receipt?.fallback ? { summaryModel: summaryModelLine(receipt, receipt.fallback) } : {}),
  };
}

const REASONS = {
  rent: 'carrying the old text on had cost more than dropping it',
  threshold: 'the conversation had reached the size at which it is compacted',
  window: 'the conversation did not fit the model’s context window any more',
};

function reasonLine({ summarizedMessages, retainedMessages }: Receipt, planned: PlannedReceipt): string {
  const { policy, reason, priceTokens, files } = planned;
  const why = reason ? `Policy ${policy}: ${REASONS[reason]}.` : `Policy ${policy}.`;
  const price =
    priceTokens === undefined
      ? ''
      : ` Expected price: that of ${priceTokens.toLocaleString('en')} uncached input tokens.`;
  const kept = `${summarizedMessages} messages summarized, ${retainedMessages} kept, texts of ${files.length} files carried over`;
  return `${why} ${kept}.${price}`;
}

function summaryModelLine({ summaryModel }: Receipt, fallback: FallbackOutcome): string {
  const { fallbackStatus, fallbackReason } = fallback;
  return fallbackStatus === 'used'
    ? `Summary by the fallback model ${fallback.compactionModel}: ${fallbackReason}.`
    : `Summary by ${formatModelId(summaryModel)}; the fallback model was skipped: ${fallbackReason.replace(/\.$/, '')}.`;
}

function switchedSkill(part: UserPart): { name: string; state: 'active' | 'inactive' }[] {
  if (part.kind === 'skill_activation') return [{ name: part.name, state: 'active' }];
  if (part.kind === 'skill_deactivation') return [{ name: part.name, state: 'inactive' }];
  return [];
}
