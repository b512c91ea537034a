// What the webview knows, as a pure function of the messages from the host.
import type { ChatItem, ChatState, DeltaOperation, HostMessage, SessionSummary } from '../src/protocol.ts';

/** Items kept in the page while the user reads the newest ones; older ones are paged in again on demand. */
const MAX_ITEMS = 400;
const ITEMS_AFTER_TRIM = 200;

export interface ChatModel {
  /** Undefined until the first snapshot. */
  readonly chat: ChatState | undefined;
  /** Oldest first. */
  readonly items: readonly ChatItem[];
  /** Items that the host holds before the first of `items`. */
  readonly olderCount: number;
  /** Items that were let go of; a change to one is no new item. */
  readonly droppedIds: ReadonlySet<string>;
  /** Number of the last delta applied. */
  readonly sequence: number;
  /** A gap was found: deltas are ignored until the next snapshot. */
  readonly stale: boolean;
  readonly sessions: readonly SessionSummary[] | undefined;
}

export const emptyModel: ChatModel = {
  chat: undefined,
  items: [],
  olderCount: 0,
  droppedIds: new Set(),
  sequence: 0,
  stale: true,
  sessions: undefined,
};

/** Applies a message; what does not concern the model (`focus_input`, a delta seen before) returns it unchanged. */
export function reduce(model: ChatModel, message: HostMessage): ChatModel {
  switch (message.type) {
    case 'snapshot':
      return {
        ...model,
        chat: message.state,
        items: message.items,
        olderCount: message.olderCount,
        droppedIds: new Set(),
        sequence: message.sequence,
        stale: false,
      };
    case 'delta':
      if (model.stale || message.sequence <= model.sequence) return model;
      if (message.sequence > model.sequence + 1) return { ...model, stale: true };
      return { ...message.operations.reduce(applyOperation, model), sequence: message.sequence };
    case 'page':
      return addPage(model, message);
    case 'sessions':
      return { ...model, sessions: message.sessions };
    case 'focus_input':
      return model;
  }
}

/** Lets go of the oldest items once there are too many; only sensible while the newest are in view. */
export function dropOldItems(model: ChatModel): ChatModel {
  if (model.items.length <= MAX_ITEMS) return model;
  const count = model.items.length - ITEMS_AFTER_TRIM;
  const dropped = model.items.slice(0, count).map((item) => item.id);
  return {
    ...model,
    items: model.items.slice(count),
    olderCount: model.olderCount + count,
    droppedIds: new Set([...model.droppedIds, ...dropped]),
  };
}

/** The text of the newest message of the user, if one is loaded. */
export function lastUserText(items: readonly ChatItem[]): string | undefined {
  const item = items.findLast((each) => each.kind === 'user');
  return item?.kind === 'user' ? item.text : undefined;
}

export function isBusy(chat: ChatState | undefined): boolean {
  return chat !== undefined && chat.activity.kind !== 'idle';
}

function applyOperation(model: ChatModel, operation: DeltaOperation): ChatModel {
  switch (operation.op) {
    case 'put':
      return { ...model, items: putItem(model, operation.item) };
    case 'remove':
      return { ...model, items: model.items.filter((item) => item.id !== operation.id) };
    case 'append':
      return { ...model, items: changeItem(model.items, operation.id, (item) => withAppended(item, operation.text)) };
    case 'state':
      return { ...model, chat: operation.state };
  }
}

function putItem(model: ChatModel, item: ChatItem): readonly ChatItem[] {
  if (indexOf(model.items, item.id) >= 0) return changeItem(model.items, item.id, () => item);
  return model.droppedIds.has(item.id) ? model.items : [...model.items, item];
}

function changeItem(items: readonly ChatItem[], id: string, change: (item: ChatItem) => ChatItem): readonly ChatItem[] {
  const position = indexOf(items, id);
  const item = items[position];
  return item ? items.with(position, change(item)) : items;
}

/** From the end, where nearly every change happens. */
function indexOf(items: readonly ChatItem[], id: string): number {
  return items.findLastIndex((item) => item.id === id);
}

function withAppended(item: ChatItem, text: string): ChatItem {
  switch (item.kind) {
    case 'assistant':
      return { ...item, markdown: item.markdown + text };
    case 'thinking':
    case 'user':
      return { ...item, text: item.text + text };
    case 'tool':
      return { ...item, output: item.output + text };
    case 'notice':
    case 'compaction':
      return item;
  }
}

function addPage(model: ChatModel, page: Extract<HostMessage, { type: 'page' }>): ChatModel {
  // The answer to a question about another session, or one that a snapshot has overtaken.
  if (model.items[0]?.id !== page.before) return model;
  const known = new Set(model.items.map((item) => item.id));
  return {
    ...model,
    items: [...page.items.filter((item) => !known.has(item.id)), ...model.items],
    olderCount: page.olderCount,
  };
}
