import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { Endpoint } from '../endpoint.ts';
import { brokenOff, notSent, serverError, unreachable } from '../failure.ts';
import type { ProviderError } from '../provider.ts';
import { retryAfterMs } from '../retryAfter.ts';

/** `began`: the server had begun to answer when it happened. */
export function fromOpenAiError(
  error: unknown,
  endpoint: Endpoint,
  context: { model: string; began: boolean; nowMs: number },
): ProviderError {
  if (!(error instanceof APIError)) return context.began ? brokenOff(endpoint, error) : notSent(error, endpoint);
  if (error instanceof APIConnectionError) {
    return context.began
      ? brokenOff(endpoint, error)
      : unreachable(error, endpoint, error instanceof APIConnectionTimeoutError);
  }
  const code = error.code as unknown;
  return serverError(
    {
      // Routers put the upstream status into the code of an error that comes inside a stream.
      status: error.status ?? (typeof code === 'number' && code >= 400 ? code : undefined),
      type: [error.type, typeof code === 'string' ? code : undefined].filter(Boolean).join(' ') || undefined,
      text: error.message,
      retryAfterMs: context.began ? undefined : retryAfterMs(error.headers, context.nowMs),
    },
    endpoint,
    context.model,
  );
}
