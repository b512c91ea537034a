// Tokens of one text for a tokenizer family, cached.
import { type ClaudeVocabulary, claudeTokens } from './claudeTokens.ts';
import type { TokenizerFamily } from './family.ts';
import { type O200k, o200k } from './o200k.ts';
import { statisticalTokens } from './statisticalTokens.ts';
import { TextCache } from './textCache.ts';

/** `claude`: an estimate from o200k and what the text is made of; `statistics`: no tokenizer, or not loaded yet. */
export type CountStrategy = 'tokenizer' | 'claude' | 'statistics';

export interface TextCounter {
  strategy: CountStrategy;
  /** Whole tokens; 0 only for the empty text. */
  count(text: string): number;
}

/** About 16 million UTF-16 units of text per way of counting; the texts themselves live in the conversation anyway. */
const CACHE_UNITS = 8_000_000;
const caches = new Map<string, TextCache>();

/**
 * Never waits. While the tokenizer is being loaded (which begins here) a family that needs it is counted by statistics,
 * and the strategy says so. Errors: TokenizerLoadError once the load has failed; statistics never stand in for that.
 */
export function textCounter(family: TokenizerFamily, tokenizer: O200k = o200k): TextCounter {
  if (family === 'offline') return cached('statistics', 'offline', statisticalTokens);
  const loaded = tokenizer.counter();
  // The next call answers with the failure.
  if (!loaded) tokenizer.load().catch(() => undefined);
  const latin = loaded ?? statisticalTokens;
  const vocabulary = vocabularyOf(family);
  const count = vocabulary ? (text: string) => claudeTokens(text, vocabulary, latin) : latin;
  if (!loaded) return cached('statistics', family, count);
  return vocabulary ? cached('claude', family, count) : cached('tokenizer', 'o200k', count);
}

function cached(strategy: CountStrategy, family: TokenizerFamily, count: (text: string) => number): TextCounter {
  const key = `${strategy} ${family}`;
  const cache = caches.get(key) ?? new TextCache(CACHE_UNITS);
  caches.set(key, cache);
  const whole = (text: string) => Math.max(1, Math.round(count(text)));
  return { strategy, count: (text) => (text === '' ? 0 : cache.count(text, whole)) };
}

function vocabularyOf(family: TokenizerFamily): ClaudeVocabulary | undefined {
  if (family === 'claude-to-4.6') return 'to-4.6';
  return family === 'claude-from-4.7' ? 'from-4.7' : undefined;
}
