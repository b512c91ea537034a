// Requests, servers and shortcuts for the provider suites.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import type { IdSource } from '../../../src/core/platform/ids.ts';
import { ProviderError, type StreamEvent } from '../../../src/core/providers/provider.ts';

export const testKey = 'sk-test-5f2e8c1d9b7a4630';

export function counterIds(): IdSource {
  let count = 0;
  return (prefix) => `${prefix}_own${++count}`;
}

export function modelRequest(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-4-5',
    system: [{ source: 'preamble', text: 'You are a coding agent.' }],
    tools: [
      {
        name: 'read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    maxOutputTokens: 4096,
    breakpoints: [],
    cacheKey: 'session-1',
    ...overrides,
  };
}

export async function collect(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The events until the stream failed, and the error; fails when it did not fail. */
export async function collectUntilError(
  stream: AsyncIterable<StreamEvent>,
): Promise<{ events: StreamEvent[]; error: unknown }> {
  const events: StreamEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    return { events, error };
  }
  throw new Error(`The stream ended without an error: ${JSON.stringify(events)}`);
}

export async function providerErrorOf(work: Promise<unknown>): Promise<ProviderError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('It did not fail');
}

export function ofType<T extends StreamEvent['type']>(
  events: StreamEvent[],
  type: T,
): Extract<StreamEvent, { type: T }>[] {
  return events.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type);
}

export const never = new AbortController().signal;

/** A server for what the rig does not do: any status, header and body. */
export class QuirkServer {
  #server: Server | undefined;
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];

  async start(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer((request, response) => {
      this.seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
      request.resume();
      request.on('end', () => answer(request, response));
    });
    this.#server = server;
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

export function sendSse(response: ServerResponse, ...events: { event?: string; data: unknown }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}

export function sendError(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
