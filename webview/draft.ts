// The text of the next message: the textarea, its saved copy and the keys that act on it.
import { type InputAction, inputAction, mergeReturnedText } from './composerKeys.ts';
import { loadDraft, saveDraft } from './post.ts';

/** Milliseconds after a key in which the user counts as typing. */
const TYPING_MS = 1_000;

export class Draft {
  #text = loadDraft();
  #lastTypedAt = Number.NEGATIVE_INFINITY;

  get text(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#text.trim() === '';
  }

  isTyping(nowMs: number): boolean {
    return nowMs - this.#lastTypedAt < TYPING_MS;
  }

  /** The textarea, once it is rendered. */
  get input(): HTMLTextAreaElement | undefined {
    const input = document.getElementById('message-input');
    return input instanceof HTMLTextAreaElement ? input : undefined;
  }

  /** Puts the text into a textarea that was just made. */
  restore(): void {
    if (this.input && this.input.value !== this.#text) this.input.value = this.#text;
  }

  readInput(): void {
    this.#text = this.input?.value ?? '';
    this.#lastTypedAt = performance.now();
    saveDraft(this.#text);
  }

  set(text: string): void {
    this.#text = text;
    saveDraft(text);
    if (!this.input) return;
    this.input.value = text;
    this.input.setSelectionRange(text.length, text.length);
  }

  putBack(returned: string): void {
    this.set(mergeReturnedText(returned, this.#text));
  }

  /** Returns the text to send, trimmed at the end, and empties the input. */
  take(): string {
    const text = this.#text.trimEnd();
    this.set('');
    return text;
  }

  actionOf(event: KeyboardEvent): InputAction {
    const action = inputAction(
      {
        key: event.key,
        shift: event.shiftKey,
        alt: event.altKey,
        ctrl: event.ctrlKey,
        meta: event.metaKey,
        // Some input methods report the key that ends a composition only by this code.
        composing: event.isComposing || event.keyCode === 229,
      },
      this.#text,
    );
    if (action !== 'none') event.preventDefault();
    return action;
  }
}
