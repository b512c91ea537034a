// Which messages of a request can no longer change, and what is computed over them: a request costs only what was added
// since the one before (design invariant 2 makes that possible).
import type { RequestMessage } from './request.ts';

/** Of two lists with the same `source`, the messages before the smaller `length` are the same in both. */
interface Settled {
  source: object;
  length: number;
}

const settled = new WeakMap<readonly RequestMessage[], Settled>();

/** The list and its messages must be frozen. */
export function markSettled(messages: readonly RequestMessage[], source: object, length: number): void {
  settled.set(messages, { source, length });
}

/** The list and all that it holds are frozen. */
export function isShared(messages: readonly RequestMessage[]): boolean {
  return settled.has(messages);
}

export class SettledFold<State> {
  readonly #start: () => State;
  readonly #add: (state: State, message: RequestMessage) => void;
  readonly #kept = new WeakMap<object, { state: State; length: number }>();

  constructor(start: () => State, add: (state: State, message: RequestMessage) => void) {
    this.#start = start;
    this.#add = add;
  }

  /** What was computed over the settled messages, and the messages after them. The state is changed by later calls. */
  of(messages: readonly RequestMessage[]): { state: State; rest: readonly RequestMessage[] } {
    const mark = settled.get(messages);
    if (!mark) return { state: this.#start(), rest: messages };
    const known = this.#kept.get(mark.source) ?? { state: this.#start(), length: 0 };
    if (known.length > mark.length) return { state: this.#start(), rest: messages };
    this.#kept.set(mark.source, known);
    for (const message of messages.slice(known.length, mark.length)) {
      this.#add(known.state, message);
      known.length += 1;
    }
    return { state: known.state, rest: messages.slice(mark.length) };
  }
}
