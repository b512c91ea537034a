// How many tokens each part of a prompt counts: what the trace recorded, scaled to the provider, and the o200k tokenizer
// for texts that the trace does not hold. The product's own estimator is not asked: the figures must not move with it.
import type { ModelRequest, SystemBlock } from '../../../src/core/conversation/request.ts';
import { SUMMARY_SOURCE } from '../../../src/core/conversation/systemZone.ts';
import { textCounter } from '../../../src/core/tokens/countText.ts';
import { o200k } from '../../../src/core/tokens/o200k.ts';
import type { BlockTokens, RequestBlock } from './prefixTree.ts';

/** System prompt and tools together. */
export const FIXED_PART_TOKENS = 8_000;
const LEAST_BLOCK_TOKENS = 4;
/** What a block adds to its text, as in the traces. */
const BLOCK_OVERHEAD = 4;

export class TokenBook implements BlockTokens {
  readonly #scale: number;
  readonly #count: (text: string) => number;
  /** Tokens by the text's or call's exact content. */
  readonly #known = new Map<string, number>();
  readonly #ofBlock = new WeakMap<object, number>();

  /** `scale`: the provider's tokens for one o200k token. `count`: o200k tokens of a text. */
  constructor(scale: number, count: (text: string) => number) {
    this.#scale = scale;
    this.#count = count;
  }

  /** Loads the tokenizer first. */
  static async load(scale: number): Promise<TokenBook> {
    await o200k.load();
    const counter = textCounter('o200k');
    return new TokenBook(scale, (text) => counter.count(text));
  }

  /** `tok`: o200k tokens with the block's overhead; undefined: it is counted. Returns the provider's tokens. */
  note(text: string, tok: number | undefined): number {
    const tokens = this.scaled(tok ?? this.#count(text) + BLOCK_OVERHEAD);
    for (const key of [text, text.trimEnd()]) if (!this.#known.has(key)) this.#known.set(key, tokens);
    return tokens;
  }

  /** A text that counts so many of the provider's tokens. */
  fix(text: string, tokens: number): void {
    this.#known.set(text, tokens);
  }

  /** A call is known by its id and its input: a policy may send a smaller one. */
  noteCall(callId: string, input: unknown, tok: number | undefined): number {
    const key = callKey(callId, input);
    const tokens = this.scaled(tok ?? this.#count(JSON.stringify(input)) + BLOCK_OVERHEAD);
    this.#known.set(key, tokens);
    return tokens;
  }

  /** Provider's tokens of any text. */
  ofText(text: string): number {
    return this.#known.get(text) ?? this.scaled(this.#count(text) + BLOCK_OVERHEAD);
  }

  scaled(tok: number): number {
    return Math.max(LEAST_BLOCK_TOKENS, Math.round(tok * this.#scale));
  }

  /** The o200k tokens that count so many of the provider's. */
  unscaled(tokens: number): number {
    return tokens / this.#scale;
  }

  ofBlock(block: RequestBlock): number {
    const known = this.#ofBlock.get(block);
    if (known !== undefined) return known;
    const tokens = this.#measured(block);
    this.#ofBlock.set(block, tokens);
    return tokens;
  }

  /** The static blocks and the tools count as the fixed part, on the last of them. */
  ofSystem(block: SystemBlock, { system }: ModelRequest): number {
    if (block.source === SUMMARY_SOURCE) return this.#ofBlockText(block, block.text);
    const last = system.findLast(({ source }) => source !== SUMMARY_SOURCE);
    return block === last ? FIXED_PART_TOKENS : 0;
  }

  /** Provider's tokens of the whole prompt. */
  ofRequest(request: ModelRequest): number {
    let tokens = 0;
    for (const block of request.system) tokens += this.ofSystem(block, request);
    for (const { content } of request.messages) for (const block of content) tokens += this.ofBlock(block);
    return tokens;
  }

  #measured(block: RequestBlock): number {
    switch (block.type) {
      case 'text':
        return this.ofText(block.text);
      case 'tool_result':
        return this.ofText(block.content);
      case 'tool_call':
        return this.#known.get(callKey(block.callId, block.input)) ?? this.ofText(JSON.stringify(block.input));
      case 'thinking':
        return this.ofText(block.thinking);
      case 'redacted_thinking':
        return this.ofText(block.data);
    }
  }

  #ofBlockText(block: object, text: string): number {
    const known = this.#ofBlock.get(block) ?? this.ofText(text);
    this.#ofBlock.set(block, known);
    return known;
  }
}

function callKey(callId: string, input: unknown): string {
  return `call ${callId} ${JSON.stringify(input)}`;
}
