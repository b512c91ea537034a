// What the rig remembers of every request.
import type { IncomingHttpHeaders } from 'node:http';
import type { Prompt, Wire } from './prompt.ts';

export interface Violation {
  /** `R1` to `R9`; `SHAPE`: the wire does not know such a request; `SCRIPT`: the script had no reply for it. */
  rule: string;
  /** Starts with the rule's name. */
  message: string;
}

/** Tokens that the rig reported. The whole prompt is `input + cacheRead + cacheWrite5m + cacheWrite1h`. */
export interface UsageGiven {
  input: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  output: number;
}

export interface LoggedRequest {
  /** From 1, over all requests of the rig. */
  n: number;
  wire: Wire;
  method: string;
  path: string;
  /** Keys masked. */
  headers: IncomingHttpHeaders;
  raw: Buffer;
  /** Parsed; undefined when the body is not JSON. */
  body: unknown;
  /** Undefined when the wire does not know such a request. */
  prompt?: Prompt;
  /** Milliseconds on the rig's clock. */
  at: number;
  /** Tokens by the rig's own rule. */
  promptTokens?: number;
  violation?: Violation;
  /** HTTP status answered; undefined until then, or when a fault came before it. */
  status?: number;
  usage?: UsageGiven;
  /** How the answer ended; undefined while it runs. `left`: the client closed the connection. */
  end?: 'complete' | 'fault' | 'left';
}

/** Frees what takes the memory. */
export function dropBodies(request: LoggedRequest): void {
  request.raw = Buffer.alloc(0);
  request.body = undefined;
  delete request.prompt;
}

const secretHeaders = ['authorization', 'x-api-key', 'api-key', 'cookie'];

/** Leaves the scheme and at most four characters of a key. */
export function maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const masked: IncomingHttpHeaders = { ...headers };
  for (const name of secretHeaders) {
    const value = masked[name];
    if (typeof value === 'string') masked[name] = value.replace(/^(Bearer )?(.{0,4}).*$/s, '$1$2...');
  }
  return masked;
}
