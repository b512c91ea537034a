// How a model is written in settings, pickers and receipts: `provider/model`.
import type { ModelRef, ProviderId } from './request.ts';

const PROVIDER_IDS: readonly ProviderId[] = ['anthropic', 'openai', 'offline'];

/** The model's own id may hold further slashes. Undefined: no such provider, or no model. */
export function parseModelId(id: string): ModelRef | undefined {
  const slash = id.indexOf('/');
  const provider = PROVIDER_IDS.find((each) => each === id.slice(0, slash));
  const model = id.slice(slash + 1).trim();
  return provider && model ? { provider, model } : undefined;
}

export function formatModelId(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

export function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.model === b.model;
}
