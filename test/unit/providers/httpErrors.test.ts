import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { AnthropicProvider } from '../../../src/core/providers/anthropic/provider.ts';
import { OpenAiChatProvider } from '../../../src/core/providers/openai-chat/provider.ts';
import type { Provider } from '../../../src/core/providers/provider.ts';
import {
  collect,
  counterIds,
  modelRequest,
  never,
  providerErrorOf,
  QuirkServer,
  sendError,
  testKey,
} from './support.ts';

interface Wire {
  name: string;
  make(config: {
    apiKey: string | undefined;
    baseUrl: string | undefined;
    fetch?: typeof fetch;
    nowMs?: number;
  }): Provider;
}

const wires: Wire[] = [
  {
    name: 'Anthropic',
    make: ({ nowMs = 0, ...config }) =>
      new AnthropicProvider({ ...config, ids: counterIds(), clock: fixedClock(nowMs) }),
  },
  {
    name: 'OpenAI',
    make: ({ nowMs = 0, ...config }) =>
      new OpenAiChatProvider({ ...config, ids: counterIds(), clock: fixedClock(nowMs) }),
  },
];

for (const wire of wires) {
  describe(`${wire.name}: failures over HTTP`, () => {
    const server = new QuirkServer();
    afterEach(() => server.stop());
    const errorOf = (provider: Provider) =>
      providerErrorOf(collect(provider.stream(modelRequest({ model: 'some-model' }), never)));
    const errorFor = async (status: number, body: unknown, headers: Record<string, string> = {}, nowMs = 0) => {
      const baseUrl = await server.start((_, response) => sendError(response, status, body, headers));
      return errorOf(wire.make({ apiKey: testKey, baseUrl, nowMs }));
    };

    it('no key: says so without a request, for a call and for the list of models', async () => {
      for (const apiKey of [undefined, '', '  ']) {
        const provider = wire.make({ apiKey, baseUrl: undefined });
        for (const error of [await errorOf(provider), await providerErrorOf(provider.listModels(never))]) {
          assert.equal(error.kind, 'no_key');
          assert.match(error.message, new RegExp(`no API key for ${wire.name}`));
          assert.match(error.advice, /Steiner: Set API Key/);
          assert.ok(!error.retryable);
        }
      }
    });

    it('wrong key', async () => {
      const error = await errorFor(401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } });
      assert.deepEqual([error.kind, error.retryable], ['auth', false]);
      assert.match(error.message, /did not accept the API key \(status 401\): invalid x-api-key/);
    });

    it('A27: a server that echoes the Authorization header', async () => {
      const baseUrl = await server.start((request, response) =>
        sendError(response, 401, {
          error: {
            message: `rejected: Authorization: ${request.headers.authorization}, ${request.headers['x-api-key']}`,
          },
        }),
      );
      const error = await errorOf(wire.make({ apiKey: testKey, baseUrl }));
      assert.equal(error.kind, 'auth');
      assert.match(error.message, /Bearer \[key\]/);
      assert.ok(!`${error.message}${error.stack}${JSON.stringify(error)}`.includes(testKey));
    });

    it('A27: a key that cannot stand in a header is refused without being quoted', async () => {
      const error = await errorOf(wire.make({ apiKey: 'sk-secret\u2026\nmore', baseUrl: undefined }));
      assert.equal(error.kind, 'auth');
      assert.ok(!error.message.includes('secret'));
    });

    it('A6: waits named as seconds, milliseconds or dates', async () => {
      const date = 'Tue, 01 Dec 2026 10:00:30 GMT';
      const wait = async (headers: Record<string, string>, nowMs = 0) =>
        (await errorFor(429, {}, headers, nowMs)).retryAfterMs;
      assert.equal(await wait({ 'retry-after': '30' }), 30_000);
      await server.stop();
      assert.equal(await wait({ 'retry-after': '2', 'retry-after-ms': '2500' }), 2500);
      await server.stop();
      assert.equal(await wait({ 'retry-after': date, date: 'Tue, 01 Dec 2026 10:00:00 GMT' }), 30_000);
      await server.stop();
      assert.equal(await wait({ 'retry-after': 'soon' }), undefined);
    });

    it('does not follow a redirect with the key and the conversation', async () => {
      const other = new QuirkServer();
      const elsewhere = await other.start((_, response) => sendError(response, 200, {}));
      const error = await errorFor(307, '', { location: elsewhere });
      await other.stop();
      assert.deepEqual([error.kind, error.status, other.seen.length], ['bad_request', 307, 0]);
      assert.match(`${error.message} ${error.advice}`, /redirects to another address.*baseUrl/);
    });

    it('HTML of a proxy, an empty body, a wrong path', async () => {
      assert.equal(
        (await errorFor(502, '<html><title>Bad gateway</title></html>')).message,
        `${wire.name} failed to answer (status 502): Bad gateway`,
      );
      await server.stop();
      assert.equal((await errorFor(500, '')).message, `${wire.name} failed to answer (status 500).`);
      await server.stop();
      assert.match((await errorFor(404, '404 page not found')).advice, /baseUrl/);
    });

    it('nothing listens: names the base URL', async () => {
      const baseUrl = `http://127.0.0.1:${await closedPort()}`;
      const error = await errorOf(wire.make({ apiKey: testKey, baseUrl }));
      assert.deepEqual([error.kind, error.retryable], ['unreachable', true]);
      assert.ok(error.message.includes(baseUrl) && error.message.includes('ECONNREFUSED'), error.message);
    });

    it('a reset before any answer is unreachable, not a cut answer', async () => {
      const baseUrl = await server.start((request) => request.socket.resetAndDestroy());
      const error = await errorOf(wire.make({ apiKey: testKey, baseUrl }));
      assert.equal(error.kind, 'unreachable');
    });

    it('an unknown host and a connection that times out', async () => {
      const failing =
        (code: string, message: string): typeof fetch =>
        async () => {
          throw new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
        };
      const baseUrl = 'http://model.invalid/v1';
      const unknown = await errorOf(
        wire.make({ apiKey: testKey, baseUrl, fetch: failing('ENOTFOUND', 'getaddrinfo') }),
      );
      assert.match(unknown.message, /model\.invalid.*ENOTFOUND/);
      const slow = failing('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error');
      const late = await errorOf(wire.make({ apiKey: testKey, baseUrl, fetch: slow }));
      assert.equal(late.kind, 'unreachable');
      assert.match(late.message, /did not answer in time/);
    });

    it('a base URL that is none, and one with credentials', async () => {
      for (const baseUrl of ['localhost:1234', 'file:///etc/passwd', 'not a url']) {
        const error = await errorOf(wire.make({ apiKey: testKey, baseUrl }));
        assert.deepEqual([error.kind, error.retryable], ['bad_request', false], baseUrl);
        assert.match(error.advice, /steiner\.\w+\.baseUrl/);
      }
      const error = await errorOf(
        wire.make({ apiKey: testKey, baseUrl: `http://user:hunter22@127.0.0.1:${await closedPort()}` }),
      );
      assert.equal(error.kind, 'unreachable');
      assert.ok(!error.message.includes('hunter22'));
    });
  });
}

describe('OpenAI: error bodies of compatible servers', () => {
  const server = new QuirkServer();
  afterEach(() => server.stop());
  const tooLong = "This model's maximum context length is 4096 tokens.";
  const bodies: [string, unknown][] = [
    ['OpenAI', { error: { message: tooLong, type: 'invalid_request_error', code: 'context_length_exceeded' } }],
    ['older vLLM', { object: 'error', message: tooLong, type: 'BadRequestError', code: 400 }],
    ['FastAPI', { detail: tooLong }],
    ['Ollama', { error: tooLong }],
    ['plain text', tooLong],
  ];
  for (const [name, body] of bodies) {
    it(`${name}: the words are found`, async () => {
      const baseUrl = await server.start((_, response) => sendError(response, 400, body));
      const provider = new OpenAiChatProvider({ apiKey: undefined, baseUrl, ids: counterIds() });
      const error = await providerErrorOf(collect(provider.stream(modelRequest(), never)));
      assert.equal(error.kind, 'too_long');
      assert.ok(error.message.endsWith(`: ${tooLong}`), error.message);
    });
  }
});

function fixedClock(nowMs: number) {
  return { now: () => nowMs, sleep: () => Promise.reject(new Error('no waiting here')) };
}

async function closedPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
