// What a request costs, in units of one uncached input token. Two caches are modelled: explicit markers (Anthropic) and
// automatic prefixes (OpenAI). Nothing here is shared with src/core/cache.
import type { CacheTtl } from '../../../src/core/conversation/request.ts';
import type { PrefixNode } from './prefixTree.ts';

export interface Bill {
  /** Tokens. */
  promptTokens: number;
  readTokens: number;
  writtenTokens: number;
  outputTokens: number;
  units: number;
}

export interface Call {
  /** The prompt, block by block. */
  path: readonly PrefixNode[];
  /** Positions in the path, ascending; automatic caches have none. */
  marks: readonly number[];
  outputTokens: number;
  /** Milliseconds. */
  now: number;
}

export interface Billing {
  readonly prices: Prices;
  /** Charges the call and leaves in the cache what the provider would keep. */
  charge(call: Call): Bill;
}

export interface Prices {
  read: number;
  /** 1: nothing beyond the input price. */
  write: number;
  output: number;
}

const MINUTE_MS = 60_000;
const LEAST_CACHED_TOKENS = 1_024;
const MOST_MARKS = 4;
const LOOK_BACK_BLOCKS = 20;

/** Entries exist only where a marker stood. Errors: more than four markers. */
export function anthropicBilling(ttl: CacheTtl): Billing {
  const ttlMs = ttl === '1h' ? 60 * MINUTE_MS : 5 * MINUTE_MS;
  const prices: Prices = { read: 0.1, write: ttl === '1h' ? 2 : 1.25, output: 5 };
  return {
    prices,
    charge({ path, marks, outputTokens, now }) {
      if (marks.length > MOST_MARKS) throw new Error(`${marks.length} cache markers, the provider takes ${MOST_MARKS}`);
      const hits = marks.flatMap((mark) => entryBefore(path, mark, now) ?? []);
      const readTokens = Math.max(0, ...hits.map(({ tokens }) => tokens));
      const promptTokens = path.at(-1)?.tokens ?? 0;
      const markedTokens = path[marks.at(-1) ?? -1]?.tokens ?? 0;
      const writtenTokens = markedTokens < LEAST_CACHED_TOKENS ? 0 : Math.max(0, markedTokens - readTokens);
      for (const node of [...hits, ...marks.flatMap((mark) => path[mark] ?? [])]) {
        if (node.tokens >= LEAST_CACHED_TOKENS) node.liveUntil = now + ttlMs;
      }
      return billOf({ promptTokens, readTokens, writtenTokens, outputTokens }, prices);
    },
  };
}

/** The longest live entry at most 20 blocks before the marker. */
function entryBefore(path: readonly PrefixNode[], mark: number, now: number): PrefixNode | undefined {
  for (let back = 0; back <= LOOK_BACK_BLOCKS; back++) {
    const node = path[mark - back];
    if (!node) return undefined;
    if (node.liveUntil >= now && node.tokens >= LEAST_CACHED_TOKENS) return node;
  }
  return undefined;
}

/** The cache holds every prefix, in steps of 128 tokens, for five minutes after its last use. */
export function openaiBilling(): Billing {
  const prices: Prices = { read: 0.1, write: 1, output: 8 };
  return {
    prices,
    charge({ path, outputTokens, now }) {
      const shared = path.findLast(({ liveUntil }) => liveUntil >= now)?.tokens ?? 0;
      const inSteps = Math.floor(shared / 128) * 128;
      const readTokens = inSteps < LEAST_CACHED_TOKENS ? 0 : inSteps;
      for (const node of path) node.liveUntil = now + 5 * MINUTE_MS;
      return billOf({ promptTokens: path.at(-1)?.tokens ?? 0, readTokens, writtenTokens: 0, outputTokens }, prices);
    },
  };
}

function billOf(tokens: Omit<Bill, 'units'>, { read, write, output }: Prices): Bill {
  const { promptTokens, readTokens, writtenTokens, outputTokens } = tokens;
  const plainTokens = promptTokens - readTokens - writtenTokens;
  return { ...tokens, units: read * readTokens + write * writtenTokens + plainTokens + output * outputTokens };
}
