// The conversation as the chat shows it: stored messages and live events become numbered items.
// No vscode import: unit tests run it under plain Node.
import type { AgentEvent } from '../../core/agent/events.ts';
import type { SessionHealth } from '../../core/compaction/escalation.ts';
import type { FallbackOutcome, Generation, Receipt } from '../../core/conversation/generation.ts';
import {
  type AssistantBlock,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolMessage,
  type UserMessage,
  type UserPart,
  userText,
} from '../../core/conversation/message.ts';
import { formatModelId } from '../../core/conversation/modelId.ts';
import { clipUnits } from '../../core/platform/text.ts';
import type { ChatItem, DeltaOperation } from '../../protocol.ts';

type ToolItem = Extract<ChatItem, { kind: 'tool' }>;
type NoticeItem = Extract<ChatItem, { kind: 'notice' }>;

/** Characters of a tool's output that travel to the webview; the whole opens in an editor. */
const MAX_CARD_OUTPUT = 8_000;

export class Transcript {
  readonly #items: ChatItem[] = [];
  readonly #index = new Map<string, number>();
  readonly #titleOf: (call: ToolCallBlock) => string;
  readonly #now: () => number;
  #noticeCount = 0;
  /** Items of the answer that is streaming, in case the attempt is discarded. */
  #streaming: string[] = [];

  constructor(options: { titleOf(call: ToolCallBlock): string; now(): number }) {
    this.#titleOf = options.titleOf;
    this.#now = options.now;
  }

  get items(): readonly ChatItem[] {
    return this.#items;
  }

  /** The newest `count` items and how many stand before them. */
  newest(count: number): { items: ChatItem[]; olderCount: number } {
    const start = Math.max(0, this.#items.length - count);
    return { items: this.#items.slice(start), olderCount: start };
  }

  /** Up to `count` items before the one with this id. */
  before(id: string, count: number): { items: ChatItem[]; olderCount: number } {
    const end = this.#index.get(id) ?? 0;
    const start = Math.max(0, end - count);
    return { items: this.#items.slice(start, end), olderCount: start };
  }

  item(id: string): ChatItem | undefined {
    const position = this.#index.get(id);
    return position === undefined ? undefined : this.#items[position];
  }

  /** Rebuilds the items of a stored session. */
  load(entries: readonly (Message | Generation)[]): void {
    for (const entry of entries) {
      if ('role' in entry) this.#loadMessage(entry);
      else if (entry.kind === 'summary') this.#putGeneration(entry);
    }
  }

  apply(event: AgentEvent): DeltaOperation[] {
    switch (event.type) {
      case 'user_message':
        return this.#put(userItem(event.message));
      case 'assistant_started':
        this.#streaming = [];
        return [];
      case 'assistant_delta':
        return this.#addDelta(event);
      case 'assistant_discarded': {
        const operations = this.#streaming.flatMap((id) => this.#remove(id));
        this.#streaming = [];
        return operations;
      }
      case 'assistant_message': {
        const streamed = this.#streaming;
        this.#streaming = [];
        const operations = this.#putAnswer(event.message);
        const kept = new Set(operations.flatMap((each) => (each.op === 'put' ? [each.item.id] : [])));
        return [...streamed.filter((id) => !kept.has(id)).flatMap((id) => this.#remove(id)), ...operations];
      }
      case 'tool_started':
        return this.#changeTool(event.call.callId, { status: 'running', title: event.title });
      case 'tool_progress':
        return this.#addOutput(event.callId, event.text);
      case 'tool_finished':
        return this.#changeTool(event.message.callId, resultOf(event.message));
      case 'approval_requested': {
        const { id, title, detail, detailKind, sessionLabel } = event.request;
        return this.#changeTool(event.request.callId, {
          status: 'waiting',
          approval: { id, title, detail, detailKind, sessionLabel },
        });
      }
      case 'approval_resolved':
        return this.#closeApproval(event.id);
      case 'generation':
        return event.generation.kind === 'summary' ? this.#putGeneration(event.generation) : [];
      case 'compaction_finished':
        return event.result.applied || event.trigger !== 'manual'
          ? []
          : this.notice({ severity: 'info', message: `The conversation was not compacted: ${event.result.reason}.` });
      case 'session_health':
        return this.#healthNotice(event);
      case 'skill_truncated':
        return this.notice({
          severity: 'warning',
          message: `The skill "${event.name}" has ${event.size.toLocaleString('en')} bytes; the first ${event.cap.toLocaleString('en')} were sent.`,
          advice: 'Shorten the skill, or raise steiner.skills.maxBytes.',
        });
      case 'notice': {
        const { type: _, ...notice } = event;
        return this.notice(notice);
      }
      default:
        return [];
    }
  }

  notice(notice: Omit<NoticeItem, 'kind' | 'id' | 'at'>): DeltaOperation[] {
    this.#noticeCount += 1;
    return this.#put({ kind: 'notice', id: `notice_${this.#noticeCount}`, at: this.#now(), ...notice });
  }

  #healthNotice({ severity, compactionCount, guidance }: SessionHealth): DeltaOperation[] {
    if (severity === 'info') return [];
    return this.notice({
      severity: severity === 'critical' ? 'error' : 'warning',
      message:
        severity === 'critical'
          ? `Details of this conversation are probably lost: it was compacted in ${compactionCount} stages within one turn.`
          : `Details of this conversation may get lost: it was compacted in ${compactionCount} stages within one turn.`,
      advice: guidance,
    });
  }

  #loadMessage(message: Message): void {
    if (message.role === 'user') this.#put(userItem(message));
    else if (message.role === 'assistant') this.#putAnswer(message);
    else this.#changeTool(message.callId, resultOf(message));
  }

  #putAnswer(message: AssistantMessage): DeltaOperation[] {
    return message.blocks.flatMap((block, index) => this.#putBlock(message, block, index));
  }

  #putBlock(message: AssistantMessage, block: AssistantBlock, index: number): DeltaOperation[] {
    const base = { id: blockId(message.id, index), at: message.at };
    switch (block.type) {
      case 'text':
        if (block.text.trim() === '') return [];
        return this.#put({
          ...base,
          kind: 'assistant',
          markdown: block.text,
          streaming: false,
          incomplete: message.incomplete ?? false,
        });
      case 'thinking':
        if (block.thinking === '') return [];
        return this.#put({ ...base, kind: 'thinking', text: block.thinking, streaming: false });
      case 'redacted_thinking':
        return [];
      case 'tool_call':
        return this.#put({
          ...base,
          id: block.callId,
          kind: 'tool',
          name: block.name,
          title: this.#titleOf(block),
          status: 'waiting',
          output: '',
          outputTruncated: false,
        });
    }
  }

  #addDelta(event: Extract<AgentEvent, { type: 'assistant_delta' }>): DeltaOperation[] {
    const id = blockId(event.messageId, event.index);
    const known = this.item(id);
    if (known?.kind === 'assistant') known.markdown += event.text;
    else if (known?.kind === 'thinking') known.text += event.text;
    else {
      // A first delta of white space would show as an empty bubble.
      if (event.block === 'text' && event.text.trim() === '') return [];
      this.#streaming.push(id);
      const base = { id, at: this.#now(), streaming: true };
      return this.#put(
        event.block === 'text'
          ? { ...base, kind: 'assistant', markdown: event.text, incomplete: false }
          : { ...base, kind: 'thinking', text: event.text },
      );
    }
    return [{ op: 'append', id, text: event.text }];
  }

  #addOutput(callId: string, text: string): DeltaOperation[] {
    const item = this.item(callId);
    if (item?.kind !== 'tool' || item.outputTruncated) return [];
    const room = MAX_CARD_OUTPUT - item.output.length;
    if (text.length > room) return this.#put({ ...item, ...shortened(item.output + text) });
    item.output += text;
    return [{ op: 'append', id: callId, text }];
  }

  #changeTool(callId: string, change: Partial<ToolItem>): DeltaOperation[] {
    const item = this.item(callId);
    if (item?.kind !== 'tool') return [];
    const { approval: _, ...rest } = item;
    return this.#put({ ...rest, ...change });
  }

  #closeApproval(id: string): DeltaOperation[] {
    const item = this.#items.find((each) => each.kind === 'tool' && each.approval?.id === id);
    return item?.kind === 'tool' ? this.#changeTool(item.id, { status: 'running' }) : [];
  }

  #putGeneration(generation: Generation): DeltaOperation[] {
    const { receipt } = generation;
    return this.#put({
      kind: 'compaction',
      id: `generation_${generation.id}`,
      at: generation.at,
      generationId: generation.id,
      tokensBefore: receipt?.tokensBefore ?? 0,
      tokensAfter: receipt?.tokensAfter ?? 0,
      summary: generation.summary ?? '',
      ...(receipt?.fallback ? { summaryModel: summaryModelLine(receipt, receipt.fallback) } : {}),
    });
  }

  #put(item: ChatItem): DeltaOperation[] {
    const position = this.#index.get(item.id);
    if (position === undefined) {
      this.#index.set(item.id, this.#items.length);
      this.#items.push(item);
    } else {
      this.#items[position] = item;
    }
    // A copy: the item goes on changing here while the delta waits to be posted.
    return [{ op: 'put', item: { ...item } }];
  }

  #remove(id: string): DeltaOperation[] {
    const position = this.#index.get(id);
    if (position === undefined) return [];
    this.#items.splice(position, 1);
    this.#index.delete(id);
    for (let later = position; later < this.#items.length; later++) {
      const item = this.#items[later];
      if (item) this.#index.set(item.id, later);
    }
    return [{ op: 'remove', id }];
  }
}

function blockId(messageId: string, index: number): string {
  return `${messageId}.${index}`;
}

function userItem(message: UserMessage): ChatItem {
  const mode = message.parts.find((part) => part.kind === 'mode_notice')?.mode;
  return {
    kind: 'user',
    id: message.id,
    at: message.at,
    text: userText(message),
    ...(mode ? { mode } : {}),
    skills: message.parts.flatMap(switchedSkill),
  };
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

function resultOf(message: ToolMessage): Partial<ToolItem> {
  const { detail } = message;
  return {
    status: message.status,
    ...shortened(message.content),
    ...(detail?.diff === undefined ? {} : { diff: detail.diff }),
    ...(detail?.exitCode === undefined ? {} : { exitCode: detail.exitCode }),
    ...(detail?.path === undefined ? {} : { path: detail.path }),
  };
}

function shortened(output: string): { output: string; outputTruncated: boolean } {
  return { output: clipUnits(output, MAX_CARD_OUTPUT), outputTruncated: output.length > MAX_CARD_OUTPUT };
}
