import type { RequestSnapshot } from './requestSnapshot.ts';

/**
 * The last requests of a session. Everybody who hears of a request gets the same object, so a copy is kept; and a
 * copy is given out, so that no reader can change what the next one sees.
 */
export class SnapshotStore {
  #last: RequestSnapshot | undefined;
  #lastOfParent: RequestSnapshot | undefined;

  store(snapshot: RequestSnapshot): void {
    const copy = structuredClone(snapshot);
    this.#last = copy;
    if (copy.scope === undefined && copy.kind === 'main') this.#lastOfParent = copy;
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
