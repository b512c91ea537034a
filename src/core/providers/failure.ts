// What a failed call means, and what the user can do about it: one place for all wires.
import { clipUnits } from '../platform/text.ts';
import { type Endpoint, missingKey } from './endpoint.ts';
import { maskKey } from './maskKey.ts';
import { ProviderError, type ProviderErrorKind } from './provider.ts';
import { saysTooLong } from './tooLong.ts';

/** An error that a server sent, as an HTTP status or as an event inside a stream that had begun with 200. */
interface ServerFailure {
  /** Undefined: the error came as an event of a stream. */
  status: number | undefined;
  /** The server's machine-readable name of the error, e.g. `overloaded_error`. */
  type: string | undefined;
  /** The server's words. */
  text: string;
  retryAfterMs: number | undefined;
}

const LONGEST_QUOTE = 400;

export function serverError(failure: ServerFailure, endpoint: Endpoint, model: string): ProviderError {
  const kind = kindOfFailure(failure);
  if (kind === 'auth' && endpoint.apiKey === undefined) return missingKey(endpoint);
  const said = quote(failure.text, endpoint.apiKey);
  const status = failure.status === undefined ? '' : ` (status ${failure.status})`;
  const { happened, advice } = describe(kind, failure, endpoint, model);
  return new ProviderError(kind, `${happened}${status}${said === '' ? '.' : `: ${said}`}`, {
    advice,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/** No answer came: the server cannot be reached, or did not begin to answer in time. */
export function unreachable(error: unknown, endpoint: Endpoint, timedOut: boolean): ProviderError {
  const code = networkCode(error);
  const reason = timedOut || isTimeoutCode(code) ? 'it did not answer in time' : (reasons[code ?? ''] ?? code);
  const tls = code !== undefined && /CERT|TLS|SSL|SIGNATURE/.test(code);
  return new ProviderError(
    'unreachable',
    `${endpoint.label} cannot be reached at ${endpoint.baseUrl}${reason === undefined ? '' : `: ${reason}`}.`,
    {
      advice: tls
        ? 'The server’s certificate is not trusted: check the address, or add its certificate to the system’s.'
        : `Check the connection and ${endpoint.setting}${endpoint.official ? '' : ', and that the server is running'}.`,
    },
  );
}

/** The request never left: the SDK or our own code refused it. */
export function notSent(error: unknown, endpoint: Endpoint): ProviderError {
  const said = quote(error instanceof Error ? error.message : String(error), endpoint.apiKey);
  return new ProviderError('bad_request', `The request to ${endpoint.label} could not be made: ${said}`, {
    advice: 'Please report this as a fault of the extension.',
  });
}

/** The answer had begun and broke off. */
export function brokenOff(endpoint: Endpoint, error?: unknown): ProviderError {
  const code = networkCode(error);
  const reason = code === undefined ? '' : ` (${reasons[code] ?? code})`;
  return new ProviderError('cut', `The answer of ${endpoint.label} broke off before it was complete${reason}.`, {
    advice: 'Try again; if it happens often, check the connection or choose another model.',
  });
}

export function kindOfFailure({ status, type, text }: ServerFailure): ProviderErrorKind {
  const name = type ?? '';
  if (
    status === 402 ||
    /billing|insufficient_quota/.test(name) ||
    /credit balance is too low|insufficient credits/i.test(text)
  ) {
    return 'billing';
  }
  if (status === 401 || status === 403 || /authentication|permission|invalid_api_key/.test(name)) return 'auth';
  if (status === 413 || saysTooLong(name) || saysTooLong(text)) return 'too_long';
  if (status === 529 || status === 503 || /overloaded/.test(name)) return 'overloaded';
  if ((status === undefined || status >= 500) && /overloaded|at capacity/i.test(text)) return 'overloaded';
  if (status === 429 || /rate_limit/.test(name)) return 'rate_limit';
  if (isUnknownModel(status, name, text)) return 'unknown_model';
  if (status === undefined) return /invalid_request/.test(name) ? 'bad_request' : 'server';
  if (status >= 500 || status === 408 || status === 409 || status === 425 || status === 499) return 'server';
  return 'bad_request';
}

function isUnknownModel(status: number | undefined, name: string, text: string): boolean {
  if (name.includes('model_not_found')) return true;
  if (status !== 404 && status !== 400) return false;
  // Anthropic's text for an unknown model is the bare field and value.
  if (status === 404 && name === 'not_found_error' && /^(\d+ )?model:/i.test(text)) return true;
  return /\bmodel\b.{0,120}(not found|does not exist|not a valid model|is unknown)|(invalid|unknown) model|not a valid model/is.test(
    text,
  );
}

function describe(
  kind: ProviderErrorKind,
  { status }: ServerFailure,
  { label, official, baseUrl, keyVariable, setting }: Endpoint,
  model: string,
): { happened: string; advice: string } {
  switch (kind) {
    case 'no_key':
    case 'auth':
      return status === 403
        ? {
            happened: `${label} does not allow this request`,
            advice: `Check that the API key may use ${model === '' ? 'this account' : `the model ${model}`}, or set another with “Steiner: Set API Key”.`,
          }
        : {
            happened: `${label} did not accept the API key`,
            advice: `Set the right key with “Steiner: Set API Key” (or in ${keyVariable})${official ? '' : ` for ${baseUrl}`}.`,
          };
    case 'billing':
      return {
        happened: `The ${label} account cannot pay for this call`,
        advice: 'Add credit or change the plan on the provider’s billing page, or choose another model.',
      };
    case 'unknown_model':
      return {
        happened: `${label} does not know the model ${model}`,
        advice: 'Choose another one with “Steiner: Select Model”.',
      };
    case 'rate_limit':
      return {
        happened: `${label} limits the rate of requests`,
        advice: 'Wait a little and try again, or choose another model.',
      };
    case 'overloaded':
      return { happened: `${label} is overloaded`, advice: 'Try again in a moment, or choose another model.' };
    case 'too_long':
      return {
        happened: `The conversation is too long for the model ${model}`,
        advice:
          'Compact the conversation with “Steiner: Compact Conversation”, or choose a model with a larger window.',
      };
    case 'state_lost':
      return {
        happened: `${label} no longer holds this conversation`,
        advice: 'Try again: the whole conversation is sent then.',
      };
    case 'server':
      return { happened: `${label} failed to answer`, advice: 'Try again in a moment, or choose another model.' };
    case 'unreachable':
    case 'cut':
    case 'bad_request':
      if (status !== undefined && status >= 300 && status < 400) {
        return {
          happened: `${baseUrl} redirects to another address, and the key is not sent there`,
          advice: `Set ${setting} to the address it redirects to, if you trust it.`,
        };
      }
      return status === 404
        ? {
            happened: `There is no such address at ${baseUrl}`,
            advice: `Check ${setting}: compatible servers mostly want an address that ends in /v1.`,
          }
        : {
            happened: `${label} refused the request`,
            advice: `Choose another model, or start a new session if it happens again${official ? '' : `; check that ${baseUrl} speaks this API`}.`,
          };
  }
}

/** One line of the server's words, without the key and without the status that the SDKs put in front. */
function quote(text: string, apiKey: string | undefined): string {
  const plain = /^\s*(\d{3} )?\s*<(!doctype|html)/i.test(text) ? (/<title>([^<]*)/i.exec(text)?.[1] ?? '') : text;
  const line = maskKey(plain, apiKey)
    .replaceAll(/\s+/g, ' ')
    .replace(/^\d{3} /, '')
    .trim();
  if (line === 'status code (no body)') return '';
  return line.length > LONGEST_QUOTE ? `${clipUnits(line, LONGEST_QUOTE)}…` : line;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'the host name is not known (ENOTFOUND)',
  EAI_AGAIN: 'the host name could not be looked up (EAI_AGAIN)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection was closed (UND_ERR_SOCKET)',
  EHOSTUNREACH: 'there is no route to the host (EHOSTUNREACH)',
  ENETUNREACH: 'the network is down (ENETUNREACH)',
};

function isTimeoutCode(code: string | undefined): boolean {
  return code === 'ETIMEDOUT' || /^UND_ERR_\w*TIMEOUT$/.test(code ?? '');
}

/** fetch hides the socket's error in a chain of causes; several addresses of a host come as one AggregateError. */
function networkCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
}
