// Speaks through a live region of its own; the message list itself is silent.

export class Announcer {
  readonly #region = document.createElement('div');

  constructor() {
    this.#region.className = 'visually-hidden';
    this.#region.setAttribute('role', 'status');
    document.body.append(this.#region);
  }

  say(sentences: readonly string[]): void {
    if (sentences.length === 0) return;
    // A new element, so that the same sentence twice is read twice.
    const line = document.createElement('div');
    line.textContent = sentences.join(' ');
    this.#region.replaceChildren(line);
  }
}
