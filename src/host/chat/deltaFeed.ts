// Numbers and batches what changes, so that a fast stream posts a few messages a second and not one per token.
// No vscode import.
import type { DeltaOperation, HostMessage } from '../../protocol.ts';

/** Milliseconds; about two frames, below what reads as delay. */
const BATCH_MS = 30;

export class DeltaFeed {
  readonly #post: (message: HostMessage) => void;
  #sequence = 0;
  #pending: DeltaOperation[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (message: HostMessage) => void) {
    this.#post = post;
  }

  /** Number of the last delta posted; after `flush` or `reset`, that of a snapshot which holds everything so far. */
  get sequence(): number {
    return this.#sequence;
  }

  add(operations: readonly DeltaOperation[]): void {
    for (const operation of operations) this.#merge(operation);
    if (this.#pending.length > 0) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const operations = this.#pending;
    // Emptied first: what is added while posting belongs to the next delta.
    this.#pending = [];
    this.#sequence += 1;
    this.#post({ type: 'delta', sequence: this.#sequence, operations });
  }

  /** Forgets what was not posted: the next snapshot holds it. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = [];
  }

  #merge(operation: DeltaOperation): void {
    const last = this.#pending.at(-1);
    if (operation.op === 'append' && last?.op === 'append' && last.id === operation.id) {
      this.#pending[this.#pending.length - 1] = { ...last, text: last.text + operation.text };
    } else if (operation.op === 'state' && last?.op === 'state') {
      this.#pending[this.#pending.length - 1] = operation;
    } else {
      this.#pending.push(operation);
    }
  }
}
