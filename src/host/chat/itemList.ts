// The items of the chat in order. Every change returns the operations that repeat it in the webview.
// No vscode import.
import type { ChatItem, DeltaOperation } from '../../protocol.ts';

export class ItemList {
  /** An item is replaced and never changed in place: it may wait in a delta or a snapshot to be posted. */
  readonly #items: ChatItem[] = [];
  readonly #index = new Map<string, number>();

  /** Oldest first. */
  get items(): readonly ChatItem[] {
    return this.#items;
  }

  get(id: string): ChatItem | undefined {
    const position = this.#index.get(id);
    return position === undefined ? undefined : this.#items[position];
  }

  /** The newest `count` items and how many stand before them. */
  newest(count: number): { items: ChatItem[]; olderCount: number } {
    return this.#upTo(this.#items.length, count);
  }

  /** Up to `count` items before the one with this id; none when the id is unknown. */
  before(id: string, count: number): { items: ChatItem[]; olderCount: number } {
    return this.#upTo(this.#index.get(id) ?? 0, count);
  }

  /** Adds the item at the end, or replaces the one with its id. */
  put(item: ChatItem): DeltaOperation[] {
    const position = this.#index.get(item.id);
    if (position === undefined) {
      this.#index.set(item.id, this.#items.length);
      this.#items.push(item);
    } else {
      this.#items[position] = item;
    }
    return [{ op: 'put', item }];
  }

  /** Appends to the text of an answer or thought, or to a tool's output. */
  append(item: Extract<ChatItem, { kind: 'assistant' | 'thinking' | 'tool' }>, text: string): DeltaOperation[] {
    this.put(withAppended(item, text));
    return [{ op: 'append', id: item.id, text }];
  }

  /** Costs time in the number of items behind the removed one. */
  remove(id: string): DeltaOperation[] {
    const position = this.#index.get(id);
    if (position === undefined) return [];
    this.#index.delete(id);
    this.#items.splice(position, 1);
    for (const [offset, item] of this.#items.slice(position).entries()) this.#index.set(item.id, position + offset);
    return [{ op: 'remove', id }];
  }

  #upTo(end: number, count: number): { items: ChatItem[]; olderCount: number } {
    const start = Math.max(0, end - count);
    return { items: this.#items.slice(start, end), olderCount: start };
  }
}

function withAppended(item: Extract<ChatItem, { kind: 'assistant' | 'thinking' | 'tool' }>, text: string): ChatItem {
  switch (item.kind) {
    case 'assistant':
      return { ...item, markdown: item.markdown + text };
    case 'thinking':
      return { ...item, text: item.text + text };
    case 'tool':
      return { ...item, output: item.output + text };
  }
}
