import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import type { Endpoint } from '../endpoint.ts';
import { brokenOff, notSent, serverError, unreachable } from '../failure.ts';
import type { ProviderError } from '../provider.ts';
import { retryAfterMs } from '../retryAfter.ts';

/** `began`: the server had begun to answer when it happened. */
export function fromAnthropicError(
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
  return serverError(
    {
      status: error.status,
      type: error.type ?? undefined,
      text: error.apiMessage ?? error.message,
      retryAfterMs: context.began ? undefined : retryAfterMs(error.headers, context.nowMs),
    },
    endpoint,
    context.model,
  );
}
