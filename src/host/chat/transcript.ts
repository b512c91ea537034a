// The conversation as the chat shows it: stored messages and live events become numbered items.
// No vscode import: unit tests run it under plain Node.
import type { AgentEvent, CompactionResult } from '../../core/agent/events.ts';
import type { SessionHealth } from '../../core/compaction/escalation.ts';
import type { Generation } from '../../core/conversation/generation.ts';
import type { AssistantMessage, Message, ToolCallBlock } from '../../core/conversation/message.ts';
import type { ChatItem, DeltaOperation } from '../../protocol.ts';
import {
  answerItems,
  blockId,
  compactionItem,
  isBlank,
  MAX_CARD_OUTPUT,
  resultOf,
  shortened,
  type ToolItem,
  userItem,
} from './chatItems.ts';
import { ItemList } from './itemList.ts';

type NoticeItem = Extract<ChatItem, { kind: 'notice' }>;
type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export class Transcript {
  readonly #list = new ItemList();
  readonly #titleOf: (call: ToolCallBlock) => string;
  readonly #now: () => number;
  /** Open questions: the id of the call that each one holds up. */
  readonly #approvals = new Map<string, string>();
  #noticeCount = 0;
  /** Notices that offer to try again: the offer ends when a turn begins. */
  #retryNotices: string[] = [];
  /** Items of the answer that is streaming, in order of appearance, in case the attempt is discarded. */
  readonly #streaming = new Set<string>();
  /** White space with which a block began, by item id, until something visible follows. */
  readonly #leadingSpace = new Map<string, string>();

  constructor(options: { titleOf(call: ToolCallBlock): string; now(): number }) {
    this.#titleOf = options.titleOf;
    this.#now = options.now;
  }

  get items(): readonly ChatItem[] {
    return this.#list.items;
  }

  /** The newest `count` items and how many stand before them. */
  newest(count: number): { items: ChatItem[]; olderCount: number } {
    return this.#list.newest(count);
  }

  /** Up to `count` items before the one with this id; none when the id is unknown. */
  before(id: string, count: number): { items: ChatItem[]; olderCount: number } {
    return this.#list.before(id, count);
  }

  item(id: string): ChatItem | undefined {
    return this.#list.get(id);
  }

  /** Rebuilds the items of a stored session. Nothing runs in it, so a call without a result was interrupted. */
  load(entries: readonly (Message | Generation)[]): void {
    for (const entry of entries) {
      if ('role' in entry) this.#loadMessage(entry);
      else this.#putGeneration(entry);
    }
    for (const item of this.items) {
      if (item.kind === 'tool' && item.status === 'waiting') this.#changeTool(item.id, { status: 'interrupted' });
    }
  }

  apply(event: AgentEvent): DeltaOperation[] {
    switch (event.type) {
      case 'user_message':
      case 'tool_finished':
        return this.#loadMessage(event.message);
      // At the end of a turn, an answer that is still streaming could not be stored: a reload would not show it.
      case 'assistant_started':
      case 'assistant_discarded':
      case 'turn_finished':
        return this.#endStream().flatMap((id) => this.#list.remove(id));
      case 'assistant_delta':
        return this.#addDelta(event);
      case 'assistant_message':
        return this.#putAnswer(event.message);
      case 'tool_started':
        return this.#changeTool(event.call.callId, { status: 'running', title: event.title });
      case 'tool_progress':
        return this.#addOutput(event.callId, event.text);
      case 'approval_requested':
        return this.#openApproval(event);
      case 'approval_resolved':
        return this.#closeApproval(event);
      case 'generation':
        return this.#putGeneration(event.generation);
      case 'compaction_finished':
        return event.result.applied || event.trigger !== 'manual' ? [] : this.#notCompacted(event.result);
      case 'turn_started':
        return this.#endRetryOffers();
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

  /** Something that failed comes with a way out; that there was too little to gain is just news. */
  #notCompacted({ reason, advice }: Extract<CompactionResult, { applied: false }>): DeltaOperation[] {
    const message = `The conversation was not compacted: ${reason.replace(/\.$/, '')}.`;
    return this.notice(advice ? { severity: 'error', message, advice } : { severity: 'info', message });
  }

  #endRetryOffers(): DeltaOperation[] {
    const ids = this.#retryNotices;
    this.#retryNotices = [];
    return ids.flatMap((id) => {
      const item = this.#list.get(id);
      if (item?.kind !== 'notice') return [];
      const { action: _, ...rest } = item;
      return this.#list.put(rest);
    });
  }

  notice(notice: Omit<NoticeItem, 'kind' | 'id' | 'at'>): DeltaOperation[] {
    this.#noticeCount += 1;
    const id = `notice_${this.#noticeCount}`;
    if (notice.action === 'retry') this.#retryNotices.push(id);
    return this.#list.put({ kind: 'notice', id, at: this.#now(), ...notice });
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

  #loadMessage(message: Message): DeltaOperation[] {
    switch (message.role) {
      case 'user': {
        const item = userItem(message);
        return item ? this.#list.put(item) : [];
      }
      case 'assistant':
        return this.#putAnswer(message);
      case 'tool':
        return this.#changeTool(message.callId, resultOf(message));
    }
  }

  /**
   * Replaces what was streamed. Tool cards appear only now, and a thought may have been withheld: streamed items that
   * one of these belongs before are put anew, so that the order is that of the stored blocks.
   */
  #putAnswer(message: AssistantMessage): DeltaOperation[] {
    const items = answerItems(message, this.#titleOf);
    const ids = items.map((item) => item.id);
    const streamed = this.#endStream();
    const kept = streamed.filter((id) => ids.includes(id));
    const firstMoved = kept.findIndex((id, position) => id !== ids[position]);
    const moved = firstMoved < 0 ? [] : kept.slice(firstMoved);
    const gone = streamed.filter((id) => !ids.includes(id) || moved.includes(id));
    return [...gone.flatMap((id) => this.#list.remove(id)), ...items.flatMap((item) => this.#list.put(item))];
  }

  #addDelta(event: EventOf<'assistant_delta'>): DeltaOperation[] {
    const id = blockId(event.messageId, event.index);
    const kind = event.block === 'text' ? 'assistant' : 'thinking';
    const known = this.item(id);
    if (known?.kind === kind) return this.#list.append(known, event.text);
    const text = (this.#leadingSpace.get(id) ?? '') + event.text;
    if (isBlank(text)) {
      this.#leadingSpace.set(id, text);
      return [];
    }
    this.#leadingSpace.delete(id);
    this.#streaming.add(id);
    const base = { id, at: this.#now(), streaming: true };
    return this.#list.put(
      kind === 'assistant' ? { ...base, kind, markdown: text, incomplete: false } : { ...base, kind, text },
    );
  }

  /** Ids of the items that were streaming. */
  #endStream(): string[] {
    const ids = [...this.#streaming];
    this.#streaming.clear();
    this.#leadingSpace.clear();
    return ids;
  }

  #addOutput(callId: string, text: string): DeltaOperation[] {
    const item = this.item(callId);
    // Output that arrives after the result must not be mixed into it.
    if (item?.kind !== 'tool' || item.status !== 'running' || item.outputTruncated) return [];
    const output = item.output + text;
    return output.length > MAX_CARD_OUTPUT
      ? this.#list.put({ ...item, ...shortened(output) })
      : this.#list.append(item, text);
  }

  #openApproval({ request }: EventOf<'approval_requested'>): DeltaOperation[] {
    const { id, callId, title, detail, detailKind, sessionLabel } = request;
    this.#approvals.set(id, callId);
    return this.#changeTool(callId, {
      status: 'waiting',
      approval: { id, title, detail, detailKind, sessionLabel },
    });
  }

  #closeApproval({ id, answer }: EventOf<'approval_resolved'>): DeltaOperation[] {
    const item = this.item(this.#approvals.get(id) ?? '');
    this.#approvals.delete(id);
    if (item?.kind !== 'tool' || item.approval?.id !== id) return [];
    return this.#changeTool(item.id, { status: statusAfter(answer) });
  }

  #changeTool(callId: string, change: Partial<ToolItem>): DeltaOperation[] {
    const item = this.item(callId);
    if (item?.kind !== 'tool') return [];
    const { approval: _, ...rest } = item;
    return this.#list.put({ ...rest, ...change });
  }

  #putGeneration(generation: Generation): DeltaOperation[] {
    return generation.kind === 'summary' ? this.#list.put(compactionItem(generation)) : [];
  }
}

/** A refused call never runs: its card says so at once, the result follows when it is stored. */
function statusAfter(answer: EventOf<'approval_resolved'>['answer']): ToolItem['status'] {
  if (answer === 'deny') return 'denied';
  return answer === 'cancelled' ? 'interrupted' : 'running';
}
