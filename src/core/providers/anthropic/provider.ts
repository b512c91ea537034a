// Anthropic Messages over the official SDK, and gateways that speak it.
import Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../../conversation/request.ts';
import { systemClock } from '../../platform/clock.ts';
import { modelLimits } from '../../tokens/limits.ts';
import { CallIds } from '../callIds.ts';
import { LIST_TIMEOUT_MS, type ProviderConfig } from '../config.ts';
import { type Endpoint, missingKey, resolveEndpoint } from '../endpoint.ts';
import { brokenOff } from '../failure.ts';
import type { ModelCapabilities, Provider, StreamEvent } from '../provider.ts';
import { streamCall } from '../streamCall.ts';
import { readAnthropicStream } from './answer.ts';
import { fromAnthropicError } from './errors.ts';
import { toAnthropicParams } from './params.ts';

interface AnthropicConfig extends ProviderConfig {
  /**
   * The header that carries the key. Absent: `Authorization` for Anthropic's own API, as the SDK does, and both for
   * a gateway, which may read either.
   */
  keyHeader?: 'authorization' | 'x-api-key';
}

export class AnthropicProvider implements Provider {
  readonly id = 'anthropic';
  readonly label = 'Anthropic';
  readonly #config: AnthropicConfig;

  constructor(config: AnthropicConfig) {
    this.#config = config;
  }

  capabilities(model: string): ModelCapabilities {
    return modelLimits('anthropic', model);
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const endpoint = this.#endpoint();
    try {
      const ids: string[] = [];
      const options = { signal, timeout: LIST_TIMEOUT_MS };
      for await (const model of this.#client(endpoint).models.list({ limit: 100 }, options)) ids.push(model.id);
      return ids;
    } catch (error) {
      throw signal.aborted ? signal.reason : this.#toError(error, endpoint, '', false);
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const endpoint = this.#endpoint();
    yield* streamCall({
      signal,
      open: () => this.#client(endpoint).messages.create(toAnthropicParams(request), { signal }),
      translate: (events) =>
        readAnthropicStream(events, new CallIds(request, this.#config.ids), () => brokenOff(endpoint)),
      toError: (error, began) => this.#toError(error, endpoint, request.model, began),
    });
  }

  #endpoint(): Endpoint {
    const endpoint = resolveEndpoint(
      {
        label: this.label,
        keyVariable: 'ANTHROPIC_API_KEY',
        setting: 'steiner.anthropic.baseUrl',
        defaultUrl: 'https://api.anthropic.com',
        officialHost: 'api.anthropic.com',
      },
      this.#config,
    );
    if (endpoint.apiKey === undefined) throw missingKey(endpoint);
    // The SDK adds /v1 itself; addresses are often given with it.
    return { ...endpoint, baseUrl: endpoint.baseUrl.replace(/\/v1$/, '') };
  }

  /** Sets the credentials that the SDK would else take from the environment: the host decides where keys come from. */
  #client(endpoint: Endpoint): Anthropic {
    const { fetch, keyHeader } = this.#config;
    const apiKey = endpoint.apiKey ?? null;
    return new Anthropic({
      apiKey,
      baseURL: endpoint.baseUrl,
      defaultHeaders: {
        ...(keyHeader === 'x-api-key' ? { Authorization: null } : {}),
        ...(keyHeader === 'x-api-key' || (!keyHeader && !endpoint.official) ? { 'X-Api-Key': apiKey } : {}),
      },
      maxRetries: 0,
      // A redirect to another host would take the key and the conversation along.
      fetchOptions: { redirect: 'manual' },
      logLevel: 'off',
      openTelemetry: false,
      ...(fetch ? { fetch } : {}),
    });
  }

  #toError(error: unknown, endpoint: Endpoint, model: string, began: boolean) {
    const nowMs = (this.#config.clock ?? systemClock).now();
    return fromAnthropicError(error, endpoint, { model, began, nowMs });
  }
}
