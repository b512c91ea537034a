/**
 * Token counts by text, so that a long conversation costs only what is new in it. Holds at most about twice
 * `maxUnits` UTF-16 units of text; what was not asked for lately goes first.
 */
export class TextCache {
  readonly #maxUnits: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #recentUnits = 0;

  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  count(text: string, count: (text: string) => number): number {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const tokens = this.#older.get(text) ?? count(text);
    this.#recent.set(text, tokens);
    this.#recentUnits += text.length;
    if (this.#recentUnits > this.#maxUnits) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentUnits = 0;
    }
    return tokens;
  }
}
