// A prompt cache like that of a server: the longest prefix of tools, system and messages that was sent within the last
// five minutes is read, the rest is written. Only hashes are kept.
import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../conversation/request.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TokenEstimate } from '../../tokens/estimate.ts';

const TTL_MS = 5 * 60_000;
const MAX_ENTRIES = 16;

interface Entry {
  cacheKey: string;
  hashes: string[];
  usedAt: number;
}

export class PromptCache {
  readonly #clock: Clock;
  #entries: Entry[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tokens of the prompt that were in the cache; the prompt is in it from now on. */
  read(request: ModelRequest, { parts }: TokenEstimate): number {
    const now = this.#clock.now();
    const pieces = [...request.tools, ...request.system, ...request.messages];
    const hashes = pieces.map((piece) => createHash('sha256').update(JSON.stringify(piece)).digest('base64'));
    const live = this.#entries.filter(({ usedAt }) => now - usedAt <= TTL_MS);
    const own = live.filter(({ cacheKey }) => cacheKey === request.cacheKey);
    const common = Math.max(0, ...own.map((entry) => commonPrefix(entry.hashes, hashes)));
    // A prompt that only grew replaces the one it grew from.
    const kept = live.filter(
      (entry) => entry.cacheKey !== request.cacheKey || commonPrefix(entry.hashes, hashes) < entry.hashes.length,
    );
    this.#entries = [{ cacheKey: request.cacheKey, hashes, usedAt: now }, ...kept].slice(0, MAX_ENTRIES);
    const tokens = [...parts.tools, ...parts.system, ...parts.messages];
    return tokens.slice(0, common).reduce((total, each) => total + each, 0);
  }
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) if (a[index] !== b[index]) return index;
  return end;
}
