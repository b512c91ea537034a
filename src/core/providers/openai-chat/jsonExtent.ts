/** Follows JSON text piece by piece, in time linear in its length, and knows when one whole object has been read. */
export class JsonExtent {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'before' | 'inside' | 'after' | 'broken' = 'before';

  push(text: string): void {
    for (const char of text) this.#step(char);
  }

  /** One object has ended and only white space has followed. */
  get complete(): boolean {
    return this.#state === 'after';
  }

  #step(char: string): void {
    if (this.#state === 'broken') return;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
      return;
    }
    if (this.#state !== 'inside') {
      if (char.trim() === '') return;
      this.#state = this.#state === 'before' && char === '{' ? 'inside' : 'broken';
      this.#depth = 1;
      return;
    }
    if (char === '"') this.#inString = true;
    else if (char === '{' || char === '[') this.#depth++;
    else if (char === '}' || char === ']') {
      this.#depth--;
      if (this.#depth === 0) this.#state = 'after';
    }
  }
}
