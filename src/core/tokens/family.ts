import type { ModelRef } from '../conversation/request.ts';
import type { ClaudeVocabulary } from './claudeTokens.ts';

/** How a model counts: `o200k` exactly, `o200k-like` is our best guess for models whose tokenizer we do not have. */
export type TokenizerFamily = 'o200k' | 'o200k-like' | `claude-${ClaudeVocabulary}` | 'offline';

const O200K_MODELS = /^(gpt-([5-9]|4o|4\.[15])|o[134](-|$)|chatgpt-4o|codex-mini)/;

export function tokenizerFamily({ provider, model }: ModelRef): TokenizerFamily {
  if (provider === 'offline') return 'offline';
  // Routers name models vendor/id.
  const id = model.trim().toLowerCase().split('/').at(-1) ?? '';
  if (provider === 'anthropic' || id.includes('claude')) return claudeFamily(id);
  return O200K_MODELS.test(id) ? 'o200k' : 'o200k-like';
}

/** An id without a version we know counts by the newer vocabulary, which gives the higher figure. */
function claudeFamily(id: string): TokenizerFamily {
  const numbers = /^claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(id);
  if (!numbers) return 'claude-from-4.7';
  const version = Number(numbers[1]) + Number(numbers[2] ?? 0) / 100;
  return version < 4.07 ? 'claude-to-4.6' : 'claude-from-4.7';
}
