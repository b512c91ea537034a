// Error bodies in each wire's shape.
import type { Wire } from './prompt.ts';

const anthropicTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

const openAiTypes: Record<number, { type: string; code: string | null }> = {
  400: { type: 'invalid_request_error', code: null },
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  413: { type: 'invalid_request_error', code: 'request_too_large' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  500: { type: 'server_error', code: null },
  529: { type: 'server_error', code: 'overloaded' },
};

const usualMessages: Record<number, string> = {
  400: 'invalid request',
  401: 'invalid x-api-key',
  402: 'Your credit balance is too low to access the API.',
  403: 'Your key may not use this resource.',
  404: 'not found',
  413: 'Request exceeds the maximum size',
  429: 'This request would exceed your rate limit.',
  500: 'Internal server error',
  529: 'Overloaded',
};

/** The JSON body of an error answer. `code`: OpenAI only, instead of the usual one. */
export function errorBody(
  wire: Wire,
  status: number,
  message = usualMessages[status] ?? 'error',
  code?: string,
): unknown {
  if (wire === 'anthropic') {
    const type = anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
    return { type: 'error', error: { type, message }, request_id: 'req_rig' };
  }
  const known = openAiTypes[status] ?? { type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null };
  return { error: { message, type: known.type, param: null, code: code ?? known.code } };
}
