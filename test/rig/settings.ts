// What a test can set about the rig, before and while it runs.
import type { Wire } from './prompt.ts';
import { defaultTokensPerByte } from './tokens.ts';

export interface RigModel {
  id: string;
  wire: Wire;
  /** Tokens (CAP of rule R5). */
  window: number;
  /** Tokens, as told by the list of models. */
  maxOutput: number;
  /** Tokens below which the Anthropic-like cache stores nothing. */
  minCacheTokens: number;
  /** R9: thinking is bound to what stands before it, and an open tool loop must carry it. */
  strictThinking: boolean;
}

export interface RigSettings {
  /** The one key that is accepted; any other gets a 401. */
  apiKey: string;
  models: RigModel[];
  tokensPerByte: number;
  /** R3: the input of the test itself holds U+FFFD. */
  replacementCharacterAllowed: boolean;
  /** How many of the newest model calls keep `raw`, `body` and `prompt` in the log; for long runs. Default: all. */
  bodiesKept: number;
}

export interface RigOptions extends Partial<RigSettings> {
  /** Tokens; the window of every model. */
  cap?: number;
  /** Milliseconds; the source of time instead of the rig's own clock. */
  now?: () => number;
}

export const rigKey = 'rig-key-0123456789';

const shared = { window: 200_000, maxOutput: 64_000, minCacheTokens: 1024, strictThinking: true };

/** Models of the current lines, plus one that stands for a compatible server. */
function defaultModels(cap: number | undefined): RigModel[] {
  const anthropic = [
    'claude-fable-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-opus-4-5',
    'claude-sonnet-4-5',
    'claude-haiku-4-5',
  ].map((id): RigModel => ({ ...shared, id, wire: 'anthropic', strictThinking: !id.includes('-4-') }));
  const openai = ['gpt-6', 'gpt-6-mini', 'gpt-5.6', 'local-model'].map(
    (id): RigModel => ({ ...shared, id, wire: 'openai', strictThinking: false }),
  );
  return [...anthropic, ...openai].map((model) => ({ ...model, window: cap ?? model.window }));
}

export function readSettings(options: RigOptions): RigSettings {
  return {
    apiKey: options.apiKey ?? rigKey,
    models: options.models ?? defaultModels(options.cap),
    tokensPerByte: options.tokensPerByte ?? defaultTokensPerByte,
    replacementCharacterAllowed: options.replacementCharacterAllowed ?? false,
    bodiesKept: options.bodiesKept ?? Number.POSITIVE_INFINITY,
  };
}
