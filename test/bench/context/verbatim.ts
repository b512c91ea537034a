// How many of the user's messages a prompt holds word for word.
import type { Generation } from '../../../src/core/conversation/generation.ts';
import { type UserMessage, userText } from '../../../src/core/conversation/message.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';

export class VerbatimShare {
  readonly #quoted = new Map<UserMessage, boolean>();
  #generation: Generation | undefined;

  /** 1 when the user has said nothing. `said`: all messages of the user so far. */
  of(said: readonly UserMessage[], request: ModelRequest, generation: Generation): number {
    if (generation !== this.#generation) this.#quoted.clear();
    this.#generation = generation;
    const texts = new Set<string>();
    for (const { role, content } of request.messages) {
      if (role === 'user') for (const block of content) if (block.type === 'text') texts.add(block.text);
    }
    const present = said.filter((message) => texts.has(userText(message)) || this.#isQuoted(message, generation));
    return said.length === 0 ? 1 : present.length / said.length;
  }

  #isQuoted(message: UserMessage, { carried }: Generation): boolean {
    const known = this.#quoted.get(message);
    if (known !== undefined) return known;
    const text = userText(message).trim();
    const quoted = carried.some((part) => 'text' in part && part.text.includes(text));
    this.#quoted.set(message, quoted);
    return quoted;
  }
}
