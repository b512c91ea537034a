// Rounds in which no call could be run, or the same calls failed in the same way, burn money for nothing.
import type { ToolCallBlock, ToolMessage } from '../conversation/message.ts';

/** Answers in a row whose calls come to nothing, after which the turn ends. */
export const MAX_FRUITLESS_ROUNDS = 3;

export class FruitlessRounds {
  #count = 0;
  /** The calls of the last round, if all of them failed. */
  #lastFailure: string | undefined;

  /** To be told of each round once. True: it was one too many. */
  tooMany(calls: readonly ToolCallBlock[], results: readonly ToolMessage[], toolNames: readonly string[]): boolean {
    const failure = results.every(({ status }) => status === 'error')
      ? JSON.stringify(calls.map(({ name, input, problem }) => ({ name, input, problem })))
      : undefined;
    const nothingRan = calls.every(({ name, problem }) => problem !== undefined || !toolNames.includes(name));
    const isRepeated = failure !== undefined && failure === this.#lastFailure;
    this.#lastFailure = failure;
    this.#count = nothingRan || isRepeated ? this.#count + 1 : 0;
    return this.#count >= MAX_FRUITLESS_ROUNDS;
  }
}
