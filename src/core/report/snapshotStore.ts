import { isFrozenSnapshot, type RequestSnapshot } from './requestSnapshot.ts';

/**
 * The last requests of a session. What is kept cannot be changed: a snapshot as it was made is frozen, of anything else
 * a copy is taken. A copy is given out, which is the reader's own.
 */
export class SnapshotStore {
  #last: RequestSnapshot | undefined;
  #lastOfParent: RequestSnapshot | undefined;

  store(snapshot: RequestSnapshot): void {
    const kept = isFrozenSnapshot(snapshot) ? snapshot : structuredClone(snapshot);
    this.#last = kept;
    if (kept.scope === undefined && kept.kind === 'main') this.#lastOfParent = kept;
  }

  /** The last request of any scope and kind. Undefined: none was recorded. */
  snapshot(): RequestSnapshot | undefined {
    return structuredClone(this.#last);
  }

  /** The last turn request of the conversation itself: no child's, no summary's. Undefined: none was recorded. */
  parentSnapshot(): RequestSnapshot | undefined {
    return structuredClone(this.#lastOfParent);
  }
}
