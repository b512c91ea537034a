// Tokens of one text for a tokenizer family, cached.
import { type ClaudeVocabulary, claudeFactor } from './claudeFactor.ts';
import type { TokenizerFamily } from './family.ts';
import { loadO200k, o200kCounter } from './o200k.ts';
import { TextCache } from './textCache.ts';
import { statisticalTokens, textStatistics } from './textStatistics.ts';

export type CountStrategy = 'tokenizer' | 'tokenizer_with_factor' | 'statistics';

export interface TextCounter {
  strategy: CountStrategy;
  /** Whole tokens; 0 only for the empty text. */
  count(text: string): number;
}

/** About 16 million UTF-16 units of text per way of counting; the texts themselves live in the conversation anyway. */
const CACHE_UNITS = 8_000_000;
const caches = new Map<string, TextCache>();

/**
 * Never waits: as long as the tokenizer is not loaded (it is begun to load here), a family that needs it is counted by
 * statistics.
 */
export function textCounter(family: TokenizerFamily): TextCounter {
  if (family === 'offline') return cached('statistics', family, statistical);
  const o200k = o200kCounter();
  if (!o200k) {
    // A failed load leaves the statistics in place, which are good enough to go on with.
    loadO200k().catch(() => undefined);
    return cached('statistics', family, (text) => statistical(text) * familyFactor(text, family));
  }
  if (family === 'o200k' || family === 'o200k-like') return cached('tokenizer', 'o200k', o200k);
  return cached('tokenizer_with_factor', family, (text) => o200k(text) * familyFactor(text, family));
}

function cached(strategy: CountStrategy, family: TokenizerFamily, count: (text: string) => number): TextCounter {
  const key = `${strategy} ${family}`;
  const cache = caches.get(key) ?? new TextCache(CACHE_UNITS);
  caches.set(key, cache);
  const whole = (text: string) => Math.max(1, Math.round(count(text)));
  return { strategy, count: (text) => (text === '' ? 0 : cache.count(text, whole)) };
}

function statistical(text: string): number {
  return statisticalTokens(textStatistics(text));
}

function familyFactor(text: string, family: TokenizerFamily): number {
  const vocabulary = /^claude-(.+)$/.exec(family)?.[1];
  return vocabulary ? claudeFactor(textStatistics(text), vocabulary as ClaudeVocabulary) : 1;
}
