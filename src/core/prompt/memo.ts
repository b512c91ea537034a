// The newest value of something that is slow to make, kept for as long as its key stays the same.

export class Memo<T> {
  #entry: { key: string; value: Promise<T> } | undefined;
  #loads = 0;

  /** How often a value was made; tests and diagnostics read it. */
  get loads(): number {
    return this.#loads;
  }

  /**
   * The value for `key`. A failed load is not kept, nor is a value that `keep` refuses, so that the next call tries
   * again. Calls that overlap share one load.
   */
  async get(key: readonly unknown[], load: () => Promise<T>, keep: (value: T) => boolean = () => true): Promise<T> {
    // JSON, not a joined string: a part that holds the separator must not look like two parts.
    const text = JSON.stringify(key);
    if (this.#entry?.key === text) return this.#entry.value;
    const entry = { key: text, value: load() };
    this.#entry = entry;
    this.#loads += 1;
    try {
      const value = await entry.value;
      if (!keep(value)) this.#forget(entry);
      return value;
    } catch (error) {
      this.#forget(entry);
      throw error;
    }
  }

  drop(): void {
    this.#entry = undefined;
  }

  /** Only while it is still the newest: a later call may have replaced it. */
  #forget(entry: { key: string; value: Promise<T> }): void {
    if (this.#entry === entry) this.#entry = undefined;
  }
}
