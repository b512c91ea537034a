// Limits per model id: the dated table models.json, then the user's overrides, then assumptions marked as such.
import type { ProviderId } from '../conversation/request.ts';
import type { ModelCapabilities } from './capabilities.ts';
import { modelLine } from './modelLine.ts';
import table from './models.json';

/** The id of the built-in model. */
export const OFFLINE_MODEL = 'offline';

/** Tokens; what the user knows better than the table. Values that are not positive whole numbers are ignored. */
export interface LimitOverrides {
  contextWindow?: number;
  maxOutputTokens?: number;
}

interface TableRow {
  ids: string[];
  contextWindow: number;
  maxOutputTokens: number;
  cacheMinTokens: number;
  cacheTtlMinutes?: number;
  thinking: boolean;
}

const CACHE_TTL_MS = 5 * 60_000;

const rows: Record<'anthropic' | 'openai', TableRow[]> = table;

const offline: ModelCapabilities = {
  contextWindow: 32_768,
  maxOutputTokens: 4_096,
  cache: { kind: 'automatic', ttlMs: CACHE_TTL_MS, minTokens: 0 },
  thinking: false,
  assumed: false,
};

/** Never fails: an unknown id gets cautious figures with `assumed: true`. */
export function modelLimits(provider: ProviderId, model: string, overrides?: LimitOverrides): ModelCapabilities {
  const limits = provider === 'offline' ? offline : (fromTable(provider, model) ?? assumedLimits(provider, model));
  const contextWindow = positive(overrides?.contextWindow);
  const maxOutputTokens = positive(overrides?.maxOutputTokens);
  return {
    ...limits,
    cache: { ...limits.cache },
    contextWindow: contextWindow ?? limits.contextWindow,
    maxOutputTokens: maxOutputTokens ?? limits.maxOutputTokens,
    assumed: limits.assumed && contextWindow === undefined,
  };
}

/** Model ids of the table, the newest first. */
export function knownModels(provider: ProviderId): string[] {
  return provider === 'offline' ? [OFFLINE_MODEL] : rows[provider].flatMap((row) => row.ids);
}

function fromTable(provider: 'anthropic' | 'openai', model: string): ModelCapabilities | undefined {
  const id = modelLine(model);
  const row = rows[provider].find(({ ids }) => ids.includes(id));
  if (!row) return undefined;
  return {
    contextWindow: row.contextWindow,
    maxOutputTokens: row.maxOutputTokens,
    cache: {
      kind: provider === 'anthropic' ? 'explicit' : 'automatic',
      ttlMs: row.cacheTtlMinutes === undefined ? CACHE_TTL_MS : row.cacheTtlMinutes * 60_000,
      minTokens: row.cacheMinTokens,
    },
    thinking: row.thinking,
    assumed: false,
  };
}

function assumedLimits(provider: 'anthropic' | 'openai', model: string): ModelCapabilities {
  if (provider === 'anthropic') {
    return {
      contextWindow: 200_000,
      maxOutputTokens: 8_192,
      // 4,096 is the longest minimum of any known model: a marker below it may simply not count.
      cache: { kind: 'explicit', ttlMs: CACHE_TTL_MS, minTokens: 4_096 },
      thinking: false,
      assumed: true,
    };
  }
  // A router (OpenRouter and the like) names models vendor/id; the limits are the vendor's, the wire is its own.
  const routed = /^(anthropic|openai)\/(.+)$/.exec(model.trim());
  const known = routed && fromTable(routed[1] as 'anthropic' | 'openai', routed[2] ?? '');
  return {
    contextWindow: known?.contextWindow ?? 32_768,
    maxOutputTokens: known?.maxOutputTokens ?? 4_096,
    cache: { kind: 'none', ttlMs: 0, minTokens: 0 },
    thinking: false,
    assumed: true,
  };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
