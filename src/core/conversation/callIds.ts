/** Hands out ids that are unique within one request: some servers repeat theirs or send none (case A5). */
export class UniqueCallIds {
  readonly #taken = new Set<string>();

  /** The id itself the first time; afterwards the id with a number that depends only on what came before. */
  claim(id: string): string {
    const base = id === '' ? 'call' : id;
    let unique = base;
    for (let count = 2; this.#taken.has(unique); count++) unique = `${base}_${count}`;
    this.#taken.add(unique);
    return unique;
  }
}
