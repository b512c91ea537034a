// From a model's name to something that can be called, with the settings and keys of this moment.
import type { ModelAccess } from '../core/agent/modelAccess.ts';
import { formatModelId, parseModelId } from '../core/conversation/modelId.ts';
import type { ModelRef, ProviderId } from '../core/conversation/request.ts';
import type { Clock } from '../core/platform/clock.ts';
import { randomIds } from '../core/platform/ids.ts';
import { AnthropicProvider } from '../core/providers/anthropic/provider.ts';
import { OfflineProvider } from '../core/providers/offline/provider.ts';
import { OpenAiChatProvider } from '../core/providers/openai-chat/provider.ts';
import type { ModelCapabilities, Provider } from '../core/providers/provider.ts';
import { knownModels, modelLimits } from '../core/tokens/limits.ts';
import { loadO200k } from '../core/tokens/o200k.ts';
import type { ApiKeys } from './apiKeys.ts';
import { settings } from './settings.ts';

export interface ModelChoice {
  ref: ModelRef;
  label: string;
  /** Window and origin in words. */
  detail: string;
}

const PROVIDERS: readonly ProviderId[] = ['offline', 'anthropic', 'openai'];

export class Models {
  readonly #keys: ApiKeys;
  readonly #clock: Clock;
  /** What the servers offered last, per provider; the built-in table until then. */
  readonly #offered = new Map<ProviderId, string[]>();

  constructor(keys: ApiKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async access(ref: ModelRef): Promise<ModelAccess> {
    const capabilities = this.capabilities(ref);
    // From here on estimates are the tokenizer's; until then they are statistics.
    if (ref.provider !== 'offline') await loadO200k();
    return {
      ref,
      provider: await this.#provider(ref.provider),
      capabilities,
      thinkingBudget: capabilities.thinking ? settings.thinkingBudget() : 0,
    };
  }

  capabilities(ref: ModelRef): ModelCapabilities {
    return modelLimits(ref.provider, ref.model, settings.modelOverrides()[formatModelId(ref)]);
  }

  /** What the picker shows now, without asking anyone. */
  choices(): ModelChoice[] {
    const configured = Object.keys(settings.modelOverrides()).flatMap((id) => parseModelId(id) ?? []);
    const listed = PROVIDERS.flatMap((provider) =>
      (this.#offered.get(provider) ?? knownModels(provider)).map((model): ModelRef => ({ provider, model })),
    );
    const unique = new Map([...configured, ...listed].map((ref) => [formatModelId(ref), ref]));
    return [...unique.values()].map((ref) => this.describe(ref));
  }

  describe(ref: ModelRef): ModelChoice {
    if (ref.provider === 'offline') {
      return { ref, label: 'Offline model', detail: 'Built in, no key, no network; rule-based, not a language model' };
    }
    const { contextWindow, assumed } = this.capabilities(ref);
    const origin = ref.provider === 'anthropic' ? 'Anthropic' : 'OpenAI or compatible';
    return {
      ref,
      label: ref.model,
      detail: `${origin}, window ${contextWindow.toLocaleString('en')} tokens${assumed ? ' (assumed)' : ''}`,
    };
  }

  /** Asks the servers for which there is a key or base URL; one that does not answer keeps its last list. */
  async refresh(signal: AbortSignal): Promise<void> {
    await Promise.all(
      (['anthropic', 'openai'] as const).map(async (id) => {
        if (!(await this.#keys.get(id)) && !settings.baseUrl(id)) return;
        const provider = await this.#provider(id);
        const offered = await provider.listModels(signal).catch(() => undefined);
        if (offered && offered.length > 0) this.#offered.set(id, offered);
      }),
    );
  }

  /** True: a call would fail for want of a key. A server of the user's own may do without. */
  async needsKey({ provider }: ModelRef): Promise<boolean> {
    if (provider === 'offline' || (await this.#keys.get(provider))) return false;
    return provider === 'anthropic' || settings.baseUrl(provider) === undefined;
  }

  async #provider(id: ProviderId): Promise<Provider> {
    if (id === 'offline') return new OfflineProvider({ clock: this.#clock, ids: randomIds });
    const config = { apiKey: await this.#keys.get(id), baseUrl: settings.baseUrl(id), ids: randomIds };
    return id === 'anthropic' ? new AnthropicProvider(config) : new OpenAiChatProvider(config);
  }
}
