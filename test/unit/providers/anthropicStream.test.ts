import assert from 'node:assert/strict';
import type { RequestMessage } from '../../../src/core/conversation/request.ts';
import { AnthropicProvider } from '../../../src/core/providers/anthropic/provider.ts';
import { ProviderError, type StreamEvent } from '../../../src/core/providers/provider.ts';
import { call, type Reply, redacted, reply, say, status, think } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { rigKey } from '../../rig/settings.ts';
import {
  collect,
  collectUntilError,
  counterIds,
  modelRequest,
  never,
  ofType,
  providerErrorOf,
  QuirkServer,
  sendSse,
} from './support.ts';

describe('Anthropic provider', () => {
  let rig: Rig;
  let provider: AnthropicProvider;
  beforeEach(async () => {
    rig = await startRig();
    provider = new AnthropicProvider({ apiKey: rigKey, baseUrl: rig.baseUrlAnthropic, ids: counterIds() });
  });
  afterEach(() => rig.close());

  const run = (script: Reply) => {
    rig.script(script);
    return collect(provider.stream(modelRequest(), never));
  };

  it('streams text, reports usage and ends', async () => {
    const events = await run(
      reply(say('Hel', 'lo'), { usage: { input: 10, cacheRead: 300, cacheWrite: 40, output: 7 } }),
    );
    assert.deepEqual(
      events.filter(({ type }) => type !== 'usage'),
      [
        { type: 'text_delta', index: 0, text: 'Hel' },
        { type: 'text_delta', index: 0, text: 'lo' },
        { type: 'end', stopReason: 'end_turn' },
      ],
    );
    assert.deepEqual(ofType(events, 'usage').at(-1)?.usage, { input: 350, output: 7, cacheRead: 300, cacheWrite: 40 });
    assert.deepEqual(rig.violations, []);
  });

  it('reports the prompt’s tokens at once, so that a stopped answer has them', async () => {
    const events = await run(reply(say('x'), { usage: { input: 10, output: 7 } }));
    assert.equal(events[0]?.type, 'usage');
    assert.equal(ofType(events, 'usage')[0]?.usage.input, 10);
  });

  it('A5: a server that does not count gives no usage', async () => {
    assert.deepEqual(ofType(await run(reply(say('x'), { usage: 'zero' })), 'usage'), []);
  });

  it('streams thinking, redacted thinking and tool calls in order, each block ended once', async () => {
    const fragments = ['{"path":', '"a.ts"}'];
    rig.script(
      reply(
        think('let ', 'me'),
        redacted('hidden'),
        say('ok'),
        call('read', {}, { id: 'toolu_x', fragments }),
        call('list', {}),
      ),
    );
    const request = modelRequest({ thinkingBudget: 2000 });
    const events = (await collect(provider.stream(request, never))).filter(({ type }) => type !== 'usage');
    const [ended] = ofType(events, 'thinking_end');
    assert.ok(ended && ended.signature.length > 20);
    const second = ofType(events, 'tool_call_start')[1]?.callId ?? '';
    assert.deepEqual(events, [
      { type: 'thinking_delta', index: 0, text: 'let ' },
      { type: 'thinking_delta', index: 0, text: 'me' },
      { type: 'thinking_end', index: 0, thinking: 'let me', signature: ended.signature },
      { type: 'redacted_thinking', index: 1, data: ofType(events, 'redacted_thinking')[0]?.data },
      { type: 'text_delta', index: 2, text: 'ok' },
      { type: 'tool_call_start', index: 3, callId: 'toolu_x', name: 'read' },
      { type: 'tool_call_delta', index: 3, partialJson: '{"path":' },
      { type: 'tool_call_delta', index: 3, partialJson: '"a.ts"}' },
      { type: 'tool_call_end', index: 3, callId: 'toolu_x', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_call_start', index: 4, callId: second, name: 'list' },
      { type: 'tool_call_delta', index: 4, partialJson: '{}' },
      { type: 'tool_call_end', index: 4, callId: second, name: 'list', input: {} },
      { type: 'end', stopReason: 'tool_use' },
    ]);
  });

  it('sends a tool loop with thinking back so that no rule is broken, and the second call reads the cache', async () => {
    rig.script(
      reply(think('I read it'), say('Reading.'), call('read', { path: 'a.ts' }), call('read', { path: 'b.ts' })),
      reply(say('Done.')),
    );
    const model = 'claude-opus-5-5';
    const system = [{ source: 'preamble', text: 'Be brief. '.repeat(900) }];
    const first = modelRequest({ model, system, breakpoints: [{ at: 'system', block: 0, ttl: '5m' }] });
    const events = await collect(provider.stream(first, never));
    const messages: RequestMessage[] = [...first.messages, ...replayed(events)];
    const second = { ...first, messages };
    const usage = ofType(await collect(provider.stream(second, never)), 'usage').at(-1)?.usage;
    assert.deepEqual(rig.violations, []);
    assert.equal(rig.requests.length, 2);
    assert.ok((usage?.cacheRead ?? 0) > 1000, JSON.stringify(usage));
  });

  for (const [said, expected] of [
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['context_exceeded', 'context_exceeded'],
    ['end_turn', 'end_turn'],
  ] as const) {
    it(`maps the stop reason ${said}`, async () => {
      assert.deepEqual((await run(reply(say('x'), { stopReason: said }))).at(-1), {
        type: 'end',
        stopReason: expected,
      });
    });
  }

  describe('A4: tool arguments that are not whole', () => {
    const half = { fragments: ['{"path":"a.ts","content":"first ', 'half'] };
    const problemOf = (events: StreamEvent[]) => {
      const ends = ofType(events, 'tool_call_end');
      assert.equal(ends.length, 1);
      assert.deepEqual(ends[0]?.input, {});
      return ends[0]?.problem ?? '';
    };
    it('A4 d: cut by max_tokens', async () => {
      const events = await run(reply(call('write', {}, half), { stopReason: 'max_tokens' }));
      assert.match(problemOf(events), /cut off because the output limit/);
      assert.deepEqual(events.at(-1), { type: 'end', stopReason: 'max_tokens' });
    });
    it('A4 d: cut before the first piece by max_tokens', async () => {
      const events = await run(reply(call('write', {}, { fragments: [] }), { stopReason: 'max_tokens' }));
      assert.match(problemOf(events), /cut off/);
    });
    it('A4 d: false normal stop', async () => {
      assert.match(problemOf(await run(reply(call('write', {}, half)))), /not valid JSON/);
    });
    it('A4 e: JSON, but no object', async () => {
      assert.match(problemOf(await run(reply(call('write', {}, { fragments: ['["a.ts"]'] })))), /not a JSON object/);
    });
    it('A4 e: no arguments and {} are both empty arguments without a problem', async () => {
      const events = await run(reply(call('now', {}, { fragments: [] }), call('now', {})));
      assert.deepEqual(
        ofType(events, 'tool_call_end').map(({ input, problem }) => [input, problem]),
        [
          [{}, undefined],
          [{}, undefined],
        ],
      );
    });
    for (const action of ['reset', 'cut', 'torn', 'end'] as const) {
      it(`A4 d: ${action} in the middle is a cut stream without a finished call`, async () => {
        rig.script(reply(call('write', {}, half), { fault: { action, at: 'content_block_delta', nth: 2 } }));
        const { events, error } = await collectUntilError(provider.stream(modelRequest(), never));
        assert.ok(error instanceof ProviderError);
        assert.equal(error.kind, 'cut');
        assert.ok(error.retryable);
        assert.deepEqual(ofType(events, 'tool_call_end'), []);
      });
    }
    it('A4: an answer is whole once its stop reason came, even if the connection breaks then', async () => {
      const events = await run(reply(say('all'), { fault: { action: 'reset', at: 'message_stop' } }));
      assert.deepEqual(events.at(-1), { type: 'end', stopReason: 'end_turn' });
    });
  });

  it('A17: lone surrogates in arguments are healed before they can be sent back', async () => {
    const events = await run(
      reply(call('write', {}, { fragments: ['{"text":"a\\ud83d","\\udc00":["\\ud83d\\ude00"]}'] })),
    );
    assert.deepEqual(ofType(events, 'tool_call_end')[0]?.input, { text: 'a\ufffd', '\ufffd': ['😀'] });
  });

  describe('A6: rate limits and overload', () => {
    it('A6: 429 with retry-after', async () => {
      rig.script(status(429, { retryAfter: 30 }));
      const error = await providerErrorOf(collect(provider.stream(modelRequest(), never)));
      assert.deepEqual([error.kind, error.status, error.retryAfterMs], ['rate_limit', 429, 30_000]);
      assert.equal(rig.requests.length, 1, 'the SDK must not retry by itself');
    });
    it('A6: 429 with retry-after-ms', async () => {
      rig.script(status(429, { retryAfter: 1, retryAfterMs: 1500 }));
      const error = await providerErrorOf(collect(provider.stream(modelRequest(), never)));
      assert.equal(error.retryAfterMs, 1500);
    });
    it('A6: 529', async () => {
      rig.script(status(529));
      const error = await providerErrorOf(collect(provider.stream(modelRequest(), never)));
      assert.deepEqual([error.kind, error.retryable], ['overloaded', true]);
      assert.equal(rig.requests.length, 1);
    });
    it('A6: an overload error inside a 200 stream, before any text', async () => {
      rig.script(reply(say('x'), { fault: { action: 'overloaded', at: 'content_block_start' } }));
      const { events, error } = await collectUntilError(provider.stream(modelRequest(), never));
      assert.equal(error instanceof ProviderError && error.kind, 'overloaded');
      assert.deepEqual(ofType(events, 'text_delta'), []);
    });
    it('A6: an overload error inside a 200 stream, after 200 characters', async () => {
      rig.script(
        reply(say('x'.repeat(200), 'y'), { fault: { action: 'overloaded', at: 'content_block_delta', nth: 2 } }),
      );
      const { events, error } = await collectUntilError(provider.stream(modelRequest(), never));
      assert.equal(error instanceof ProviderError && error.kind, 'overloaded');
      assert.equal(ofType(events, 'text_delta')[0]?.text.length, 200);
    });
    it('A6: a server error inside a 200 stream', async () => {
      rig.script(reply(say('x', 'y'), { fault: { action: 'error', at: 'content_block_delta', nth: 2 } }));
      const { error } = await collectUntilError(provider.stream(modelRequest(), never));
      assert.equal(error instanceof ProviderError && error.kind, 'server');
    });
  });

  describe('abort', () => {
    it('ends a stalled stream at once with the signal’s reason', async () => {
      rig.script(reply(say('one', 'two'), { fault: { action: 'stall', at: 'content_block_delta', nth: 2 } }));
      const controller = new AbortController();
      const reason = new Error('stopped by the user');
      const texts: string[] = [];
      const started = Date.now();
      await assert.rejects(
        async () => {
          for await (const event of provider.stream(modelRequest(), controller.signal)) {
            if (event.type !== 'text_delta') continue;
            texts.push(event.text);
            setTimeout(() => controller.abort(reason), 20);
          }
        },
        (error) => error === reason,
      );
      assert.deepEqual(texts, ['one']);
      assert.ok(Date.now() - started < 1500);
    });
    it('ends a call that has no answer yet', async () => {
      rig.script(reply(say('x'), { fault: { action: 'stall', at: 'headers' } }));
      const controller = new AbortController();
      const reason = new Error('stopped');
      setTimeout(() => controller.abort(reason), 50);
      const { events, error } = await collectUntilError(provider.stream(modelRequest(), controller.signal));
      assert.equal(error, reason);
      assert.deepEqual(events, []);
    });
    it('sends nothing when it was aborted before', async () => {
      const reason = new Error('stopped');
      const { error } = await collectUntilError(provider.stream(modelRequest(), AbortSignal.abort(reason)));
      assert.equal(error, reason);
      assert.equal(rig.requests.length, 0);
    });
    it('hands on no event that was buffered before the abort', async () => {
      rig.script(reply(say('a', 'b', 'c')));
      const controller = new AbortController();
      const texts: string[] = [];
      await assert.rejects(
        async () => {
          for await (const event of provider.stream(modelRequest(), controller.signal)) {
            if (event.type !== 'text_delta') continue;
            texts.push(event.text);
            controller.abort();
          }
        },
        { name: 'AbortError' },
      );
      assert.deepEqual(texts, ['a']);
    });
  });

  it('lists the models of the server', async () => {
    const ids = await provider.listModels(never);
    assert.ok(ids.includes('claude-opus-5-5') && ids.every((id) => id.startsWith('claude-')));
  });

  it('knows the limits of its models', () => {
    assert.equal(provider.capabilities('claude-opus-5-5').cache.kind, 'explicit');
    assert.equal(provider.capabilities('claude-opus-5-5').assumed, false);
  });
});

describe('Anthropic provider and gateways', () => {
  const server = new QuirkServer();
  afterEach(() => server.stop());

  it('A5: a gateway without usage, block ends and message_stop, with repeated ids and whole arguments', async () => {
    const toolUse = { type: 'tool_use', id: 'toolu_same', name: 'read', input: { path: 'a' } };
    const send = (type: string, more: object) => ({ event: type, data: { type, ...more } });
    const baseUrl = await server.start((_, response) =>
      sendSse(
        response,
        send('message_start', { message: { id: 'm', role: 'assistant', content: [] } }),
        send('content_block_start', { index: 5, content_block: toolUse }),
        send('content_block_start', { index: 7, content_block: { ...toolUse, input: { path: 'b' } } }),
        send('something_new', { index: 9 }),
        send('message_delta', { delta: { stop_reason: 'end_turn' } }),
      ),
    );
    const provider = new AnthropicProvider({ apiKey: 'k', baseUrl: `${baseUrl}/v1/`, ids: counterIds() });
    const events = await collect(provider.stream(modelRequest(), never));
    assert.deepEqual(
      ofType(events, 'tool_call_end').map(({ index, callId, input }) => [index, callId, input]),
      [
        [0, 'toolu_same', { path: 'a' }],
        [1, 'call_own1', { path: 'b' }],
      ],
    );
    assert.deepEqual(events.at(-1), { type: 'end', stopReason: 'tool_use' });
    assert.deepEqual(ofType(events, 'usage'), []);
    assert.equal(server.seen.at(-1)?.url, '/v1/messages');
  });

  for (const [keyHeader, bearer, plain] of [
    [undefined, 'Bearer k-123', 'k-123'],
    ['authorization', 'Bearer k-123', undefined],
    ['x-api-key', undefined, 'k-123'],
  ] as const) {
    it(`sends the key to a gateway in ${keyHeader ?? 'both headers'}`, async () => {
      const baseUrl = await server.start((_, response) => sendSse(response));
      const provider = new AnthropicProvider({
        apiKey: 'k-123',
        baseUrl,
        ids: counterIds(),
        ...(keyHeader ? { keyHeader } : {}),
      });
      await collectUntilError(provider.stream(modelRequest(), never));
      const { headers } = server.seen.at(-1) ?? assert.fail('no request');
      assert.deepEqual([headers.authorization, headers['x-api-key']], [bearer, plain]);
    });
  }

  it('sends the key to Anthropic’s own API as a bearer token only, and through the given fetch', async () => {
    const seen: { url: string; authorization: string | null; plain: string | null }[] = [];
    const spy: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      seen.push({ url: String(input), authorization: headers.get('authorization'), plain: headers.get('x-api-key') });
      throw new TypeError('fetch failed');
    };
    const provider = new AnthropicProvider({ apiKey: 'k-123', baseUrl: undefined, fetch: spy, ids: counterIds() });
    const error = await providerErrorOf(collect(provider.stream(modelRequest(), never)));
    assert.equal(error.kind, 'unreachable');
    assert.deepEqual(seen, [
      { url: 'https://api.anthropic.com/v1/messages', authorization: 'Bearer k-123', plain: null },
    ]);
  });
});

/** The answer and its results as the next request carries them. */
function replayed(events: StreamEvent[]): RequestMessage[] {
  const texts = ofType(events, 'text_delta')
    .map(({ text }) => text)
    .join('');
  const calls = ofType(events, 'tool_call_end');
  return [
    {
      role: 'assistant',
      content: [
        ...ofType(events, 'thinking_end').map(({ thinking, signature }) => ({
          type: 'thinking' as const,
          thinking,
          signature,
        })),
        { type: 'text', text: texts },
        ...calls.map(({ callId, name, input }) => ({ type: 'tool_call' as const, callId, name, input })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ callId }) => ({ type: 'tool_result', callId, content: 'text', isError: false })),
    },
  ];
}
