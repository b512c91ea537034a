// Chat Completions over the official SDK: OpenAI's own API and every server that speaks it.
import OpenAI from 'openai';
import type { ModelRequest } from '../../conversation/request.ts';
import { systemClock } from '../../platform/clock.ts';
import { modelLimits } from '../../tokens/limits.ts';
import { CallIds } from '../callIds.ts';
import { LIST_TIMEOUT_MS, type ProviderConfig } from '../config.ts';
import { type Endpoint, missingKey, resolveEndpoint } from '../endpoint.ts';
import { brokenOff } from '../failure.ts';
import type { ModelCapabilities, Provider, StreamEvent } from '../provider.ts';
import { streamCall } from '../streamCall.ts';
import { readOpenAiStream } from './answer.ts';
import { withOpenAiErrors } from './errorBody.ts';
import { fromOpenAiError } from './errors.ts';
import { toOpenAiParams } from './params.ts';

/** OpenAI lists all its models; these are not for chat with tools. */
const NOT_FOR_CHAT =
  /audio|realtime|transcribe|tts|whisper|image|dall-e|sora|embedding|moderation|instruct|davinci|babbage|search/;

export class OpenAiChatProvider implements Provider {
  readonly id = 'openai';
  readonly label = 'OpenAI';
  readonly #config: ProviderConfig;

  constructor(config: ProviderConfig) {
    this.#config = config;
  }

  capabilities(model: string): ModelCapabilities {
    return modelLimits('openai', model);
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const endpoint = this.#endpoint();
    try {
      const models = [];
      const options = { signal, timeout: LIST_TIMEOUT_MS };
      for await (const model of this.#client(endpoint).models.list(options)) models.push(model);
      if (endpoint.official) models.sort((a, b) => b.created - a.created || a.id.localeCompare(b.id));
      const ids = models.map(({ id }) => id);
      return endpoint.official ? ids.filter((id) => !NOT_FOR_CHAT.test(id)) : ids;
    } catch (error) {
      throw signal.aborted ? signal.reason : this.#toError(error, endpoint, '', false);
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const endpoint = this.#endpoint();
    yield* streamCall({
      signal,
      open: () => this.#client(endpoint).chat.completions.create(toOpenAiParams(request, endpoint), { signal }),
      translate: (chunks) =>
        readOpenAiStream(chunks, new CallIds(request, this.#config.ids), () => brokenOff(endpoint)),
      toError: (error, began) => this.#toError(error, endpoint, request.model, began),
    });
  }

  #endpoint(): Endpoint {
    const endpoint = resolveEndpoint(
      {
        label: this.label,
        keyVariable: 'OPENAI_API_KEY',
        setting: 'steiner.openai.baseUrl',
        defaultUrl: 'https://api.openai.com/v1',
        officialHost: 'api.openai.com',
      },
      this.#config,
    );
    if (endpoint.official && endpoint.apiKey === undefined) throw missingKey(endpoint);
    return endpoint;
  }

  /** Sets the credentials that the SDK would else take from the environment: the host decides where keys come from. */
  #client(endpoint: Endpoint): OpenAI {
    return new OpenAI({
      baseURL: endpoint.baseUrl,
      // The SDK insists on a key; a server without one gets no Authorization header.
      apiKey: endpoint.apiKey ?? 'none',
      ...(endpoint.apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
      adminAPIKey: null,
      // An organisation of the user's OpenAI account is nobody else's business.
      ...(endpoint.official ? {} : { organization: null, project: null }),
      maxRetries: 0,
      // A redirect to another host would take the conversation along.
      fetchOptions: { redirect: 'manual' },
      logLevel: 'off',
      fetch: withOpenAiErrors(this.#config.fetch ?? fetch),
    });
  }

  #toError(error: unknown, endpoint: Endpoint, model: string, began: boolean) {
    const nowMs = (this.#config.clock ?? systemClock).now();
    return fromOpenAiError(error, endpoint, { model, began, nowMs });
  }
}
