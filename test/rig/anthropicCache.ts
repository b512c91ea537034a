// An Anthropic-like prompt cache, written from the vendor's documentation and not from the product's code (R7).
//
// A request is a row of blocks: tools, system, messages. Each position has a hash of all bytes up to it. An entry
// exists only where a marker stood and the prompt up to it had the minimum length. A marker finds the longest live
// entry at its own position or at most `lookBackBlocks` before. Reading refreshes an entry for its own TTL. Changing
// tool_choice, thinking or the presence of images loses the messages part, changing the model everything.
import { createHash } from 'node:crypto';
import { blocksOf, type CacheTtl, type Prompt } from './prompt.ts';
import { blockTokens } from './tokens.ts';

const lookBackBlocks = 20;
const ttlMs: Record<CacheTtl, number> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

/** Tokens; the four parts add up to the whole prompt. */
interface CacheAccount {
  input: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
}

interface Entry {
  ttl: CacheTtl;
  expiresAt: number;
}

interface Position {
  hash: string;
  /** Tokens up to and with this block. */
  tokens: number;
  marker: CacheTtl | undefined;
}

export class AnthropicCache {
  readonly #now: () => number;
  #entries = new Map<string, Entry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the request reads and writes. `commit` makes the entries readable: when the reply starts. */
  account(prompt: Prompt, tokensPerByte: number, minTokens: number): { account: CacheAccount; commit: () => void } {
    const positions = positionsOf(prompt, tokensPerByte);
    const marked = positions.flatMap((position, index) => (position.marker ? [index] : []));
    const readIndex = Math.max(-1, ...marked.map((index) => this.#findEntry(positions, index)));
    const read = positions[readIndex]?.tokens ?? 0;
    const longEnough = marked.filter((index) => (positions[index]?.tokens ?? 0) >= minTokens);

    const end = (ttl?: CacheTtl) =>
      longEnough
        .filter((index) => index > readIndex && (ttl === undefined || positions[index]?.marker === ttl))
        .reduce((most, index) => Math.max(most, positions[index]?.tokens ?? 0), read);
    const total = positions.at(-1)?.tokens ?? 0;
    const account = {
      input: total - end(),
      cacheRead: read,
      cacheWrite1h: end('1h') - read,
      cacheWrite5m: end() - end('1h'),
    };
    const commit = () => {
      for (const index of [...longEnough, ...(readIndex >= 0 ? [readIndex] : [])]) this.#touch(positions[index]);
    };
    return { account, commit };
  }

  /** Index of the longest live entry that a marker at `index` finds, or -1. */
  #findEntry(positions: Position[], index: number): number {
    for (let at = index; at >= 0 && at >= index - lookBackBlocks; at--)
      if (this.#isLive(positions[at]?.hash)) return at;
    return -1;
  }

  #isLive(hash: string | undefined): boolean {
    const entry = hash === undefined ? undefined : this.#entries.get(hash);
    return entry !== undefined && entry.expiresAt > this.#now();
  }

  #touch(position: Position | undefined): void {
    if (!position) return;
    const live = this.#isLive(position.hash) ? this.#entries.get(position.hash) : undefined;
    const ttl = live?.ttl ?? position.marker;
    if (ttl) this.#entries.set(position.hash, { ttl, expiresAt: this.#now() + ttlMs[ttl] });
  }
}

function positionsOf(prompt: Prompt, tokensPerByte: number): Position[] {
  const blocks = blocksOf(prompt);
  const hasImages = blocks.some((block) => block.images.length > 0);
  let hash = sha(prompt.model);
  let tokens = 0;
  let inMessages = false;
  return blocks.map((block) => {
    if (block.zone === 'messages' && !inMessages) {
      inMessages = true;
      hash = sha(`${hash}${prompt.messageCacheSeed}${hasImages}`);
    }
    hash = sha(`${hash}${block.canonical}`);
    tokens += blockTokens(block, tokensPerByte);
    return { hash, tokens, marker: block.marker };
  });
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
