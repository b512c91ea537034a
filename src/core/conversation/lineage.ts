// All generations of a conversation and all messages ever stored. It only grows (design invariant 1).
import { deepFrozen } from '../platform/freeze.ts';
import type { Generation, GenerationView } from './generation.ts';
import type { Message } from './message.ts';
import { growingView } from './running.ts';

interface Entry {
  generation: Generation;
  retained: readonly Message[];
  appended: Message[];
  /** As it was asked for last; undefined: messages were appended since. */
  view: GenerationView | undefined;
}

export class Lineage {
  readonly #entries: Entry[] = [];
  readonly #messages: Message[] = [];
  readonly #byId = new Map<string, Message>();

  /**
   * The new generation becomes the active one and is frozen. Ids of retained messages that are not stored (a damaged
   * log) are passed over. Errors: an id that is not higher than all before it.
   */
  addGeneration(generation: Generation): void {
    if (generation.id < this.nextGenerationId) throw new Error(`Generation id ${generation.id} was given before`);
    const retained = generation.retained.flatMap((id) => this.#byId.get(id) ?? []);
    this.#entries.push({
      generation: deepFrozen(generation),
      retained: Object.freeze(retained),
      appended: [],
      view: undefined,
    });
  }

  /**
   * The message joins the active generation and is frozen: it is shared with everybody who hears of it. Errors: no
   * generation yet, or an id that is stored already.
   */
  append(message: Message): void {
    if (this.#byId.has(message.id)) throw new Error(`Message ${message.id} is stored already`);
    const entry = this.#activeEntry();
    entry.appended.push(deepFrozen(message));
    entry.view = undefined;
    this.#messages.push(message);
    this.#byId.set(message.id, message);
  }

  /** Errors: no generation yet. */
  get active(): Generation {
    return this.#activeEntry().generation;
  }

  /** A snapshot: later appends do not show in it. Errors: there is no such generation. */
  view(id = this.active.id): GenerationView {
    const entry = this.#entries.findLast(({ generation }) => generation.id === id);
    if (!entry) throw new Error(`There is no generation ${id}`);
    entry.view ??= growingView(entry.generation, entry.retained, entry.appended);
    return entry.view;
  }

  /** Messages of the active generation's ancestors that it does not retain, oldest first. */
  former(): Message[] {
    const { active } = this;
    const kept = new Set(active.retained);
    let { parent } = active;
    const blocks: Message[][] = [];
    for (const { generation, appended } of this.#entries.toReversed()) {
      if (generation.id !== parent) continue;
      blocks.unshift(appended.filter(({ id }) => !kept.has(id)));
      parent = generation.parent;
    }
    return blocks.flat();
  }

  /** Oldest first. */
  get generations(): Generation[] {
    return this.#entries.map(({ generation }) => generation);
  }

  get nextGenerationId(): number {
    return (this.#entries.at(-1)?.generation.id ?? 0) + 1;
  }

  message(id: string): Message | undefined {
    return this.#byId.get(id);
  }

  /** Everything ever stored, in order. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  #activeEntry(): Entry {
    const entry = this.#entries.at(-1);
    if (!entry) throw new Error('The conversation has no generation yet');
    return entry;
  }
}
