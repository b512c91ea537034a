import assert from 'node:assert/strict';
import type { RequestMessage } from '../../../src/core/conversation/request.ts';
import { OpenAiChatProvider } from '../../../src/core/providers/openai-chat/provider.ts';
import { ProviderError, type StreamEvent } from '../../../src/core/providers/provider.ts';
import { call, type Reply, reply, say, status, think } from '../../rig/script.ts';
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
  sendError,
  sendSse,
} from './support.ts';

const model = 'local-model';

describe('OpenAI chat provider', () => {
  let rig: Rig;
  let provider: OpenAiChatProvider;
  beforeEach(async () => {
    rig = await startRig();
    provider = new OpenAiChatProvider({ apiKey: rigKey, baseUrl: rig.baseUrlOpenAI, ids: counterIds() });
  });
  afterEach(() => rig.close());

  const run = (script: Reply) => {
    rig.script(script);
    return collect(provider.stream(modelRequest({ model }), never));
  };

  it('streams text, reports usage and ends', async () => {
    const events = await run(reply(say('Hel', 'lo'), { usage: { input: 50, cacheRead: 300, output: 7 } }));
    assert.deepEqual(events, [
      { type: 'text_delta', index: 0, text: 'Hel' },
      { type: 'text_delta', index: 0, text: 'lo' },
      { type: 'usage', usage: { input: 350, output: 7, cacheRead: 300 } },
      { type: 'end', stopReason: 'end_turn' },
    ]);
    assert.deepEqual(rig.violations, []);
  });

  it('streams reasoning as unsigned thinking, then text, then calls', async () => {
    const events = await run(
      reply(think('let ', 'me'), say('ok'), call('read', {}, { id: 'call_x', fragments: ['{"path":', '"a"}'] }), {
        usage: 'absent',
      }),
    );
    assert.deepEqual(events, [
      { type: 'thinking_delta', index: 0, text: 'let ' },
      { type: 'thinking_delta', index: 0, text: 'me' },
      { type: 'thinking_end', index: 0, thinking: 'let me', signature: '' },
      { type: 'text_delta', index: 1, text: 'ok' },
      { type: 'tool_call_start', index: 2, callId: 'call_x', name: 'read' },
      { type: 'tool_call_delta', index: 2, partialJson: '{"path":' },
      { type: 'tool_call_delta', index: 2, partialJson: '"a"}' },
      { type: 'tool_call_end', index: 2, callId: 'call_x', name: 'read', input: { path: 'a' } },
      { type: 'end', stopReason: 'tool_use' },
    ]);
  });

  describe('A5: usage', () => {
    it('A5: absent or all zero is no usage', async () => {
      for (const usage of ['absent', 'zero'] as const)
        assert.deepEqual(ofType(await run(reply(say('x'), { usage })), 'usage'), [], usage);
    });
    it('A5: in a last chunk with empty choices, or with the finish reason', async () => {
      for (const usage of ['standard', 'with_finish'] as const)
        assert.equal(ofType(await run(reply(say('x'), { usage })), 'usage').length, 1, usage);
    });
  });

  describe('A5: quirks of ids and indexes over HTTP', () => {
    const read = (options: object) => call('read', { path: 'a' }, { fragments: ['{"path":', '"a"}'], ...options });
    const list = (options: object) => call('list', { dir: 'b' }, { fragments: ['{"dir":', '"b"}'], ...options });
    const quirks: [string, Reply][] = [
      ['no index', reply(read({ index: 'missing' }), list({ index: 'missing' }))],
      ['both index 0, different ids', reply(read({ index: 0 }), list({ index: 0 }))],
      ['id on the first fragment, interleaved', reply(read({}), list({}), { interleave: true })],
      [
        'id on every fragment, no index, interleaved',
        reply(read({ index: 'missing', idOn: 'every' }), list({ index: 'missing', idOn: 'every' }), {
          interleave: true,
        }),
      ],
      ['same id twice', reply(read({ id: 'dup' }), list({ id: 'dup' }))],
      ['same id twice, no index', reply(read({ id: 'dup', index: 'missing' }), list({ id: 'dup', index: 'missing' }))],
      ['empty id', reply(read({ id: '' }), list({ id: '' }))],
      ['name after the arguments', reply(read({ nameOn: 'last' }), list({ nameOn: 'last' }))],
      ['a normal stop although there are calls', reply(read({}), list({}), { stopReason: 'end_turn' })],
    ];
    for (const [name, script] of quirks) {
      it(`A5: ${name}: each call once, with its own arguments and id, in two turns`, async () => {
        rig.script(script, script, reply(say('done')));
        const request = modelRequest({ model });
        const messages = [...request.messages];
        for (let turn = 0; turn < 2; turn++) {
          const events = await collect(provider.stream({ ...request, messages }, never));
          assert.deepEqual(
            ofType(events, 'tool_call_end').map((end) => [end.name, end.input, end.problem]),
            [
              ['read', { path: 'a' }, undefined],
              ['list', { dir: 'b' }, undefined],
            ],
          );
          assert.deepEqual(events.at(-1), { type: 'end', stopReason: 'tool_use' });
          messages.push(...replayed(events));
        }
        const ids = messages.flatMap(({ content }) =>
          content.flatMap((block) => (block.type === 'tool_call' ? [block.callId] : [])),
        );
        assert.equal(new Set(ids).size, 4);
        await collect(provider.stream({ ...request, messages }, never));
        assert.deepEqual(rig.violations, []);
      });
    }
  });

  describe('A4: tool arguments that are not whole', () => {
    const half = { fragments: ['{"path":"a.ts","content":"first ', 'half'] };
    it('A4 d: cut by max_tokens', async () => {
      const [end] = ofType(await run(reply(call('write', {}, half), { stopReason: 'max_tokens' })), 'tool_call_end');
      assert.deepEqual(end?.input, {});
      assert.match(end?.problem ?? '', /cut off because the output limit/);
    });
    it('A4 d: false normal stop', async () => {
      const [end] = ofType(await run(reply(call('write', {}, half), { stopReason: 'end_turn' })), 'tool_call_end');
      assert.match(end?.problem ?? '', /not valid JSON/);
    });
    for (const action of ['reset', 'cut', 'torn', 'end'] as const) {
      it(`A4 d: ${action} in the middle is a cut stream without a finished call`, async () => {
        rig.script(reply(call('write', {}, half), { fault: { action, at: 'tool_calls', nth: 3 } }));
        const { events, error } = await collectUntilError(provider.stream(modelRequest({ model }), never));
        assert.equal(error instanceof ProviderError && error.kind, 'cut');
        assert.deepEqual(ofType(events, 'tool_call_end'), []);
        assert.ok(!events.some(({ type }) => type === 'end'));
      });
    }
    it('A4: an answer is whole once its finish reason came; only the usage is missing then', async () => {
      const events = await run(reply(say('all'), { fault: { action: 'reset', at: 'usage' } }));
      assert.deepEqual(events.slice(1), [{ type: 'end', stopReason: 'end_turn' }]);
    });
  });

  describe('A6: rate limits and overload', () => {
    it('A6: 429 with retry-after, not retried by the SDK', async () => {
      rig.script(status(429, { retryAfter: 30 }));
      const error = await providerErrorOf(collect(provider.stream(modelRequest({ model }), never)));
      assert.deepEqual([error.kind, error.retryAfterMs], ['rate_limit', 30_000]);
      assert.equal(rig.requests.length, 1);
    });
    it('A6: an overload error inside a 200 stream', async () => {
      rig.script(reply(say('x'.repeat(200), 'y'), { fault: { action: 'overloaded', at: 'content', nth: 2 } }));
      const { events, error } = await collectUntilError(provider.stream(modelRequest({ model }), never));
      assert.equal(error instanceof ProviderError && error.kind, 'overloaded');
      assert.equal(ofType(events, 'text_delta').length, 1);
    });
  });

  it('aborts a stalled stream at once with the signal’s reason', async () => {
    rig.script(reply(say('one', 'two'), { fault: { action: 'stall', at: 'content', nth: 2 } }));
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    setTimeout(() => controller.abort(reason), 100);
    const { events, error } = await collectUntilError(provider.stream(modelRequest({ model }), controller.signal));
    assert.equal(error, reason);
    assert.deepEqual(events, [{ type: 'text_delta', index: 0, text: 'one' }]);
  });

  it('lists the models of a compatible server as they are', async () => {
    assert.deepEqual(await provider.listModels(never), ['gpt-6', 'gpt-6-mini', 'gpt-5.6', 'local-model']);
  });
});

describe('OpenAI chat provider and other servers', () => {
  const server = new QuirkServer();
  afterEach(() => server.stop());
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    data: { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
  });
  const providerAt = (baseUrl: string) => new OpenAiChatProvider({ apiKey: undefined, baseUrl, ids: counterIds() });

  describe('with OpenAI credentials in the environment', () => {
    const planted = {
      OPENAI_API_KEY: 'sk-env',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_ORG_ID: 'org',
      OPENAI_PROJECT_ID: 'p',
    };
    const saved = Object.keys(planted).map((name) => [name, process.env[name]] as const);
    beforeEach(() => Object.assign(process.env, planted));
    afterEach(() => {
      for (const [name, value] of saved) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    for (const apiKey of [undefined, 'sk-own']) {
      it(`sends a compatible server ${apiKey ? 'the configured key and nothing else' : 'no credentials at all'}`, async () => {
        const baseUrl = await server.start((request, response) =>
          request.method === 'GET'
            ? sendError(response, 200, { object: 'list', data: [] })
            : sendSse(response, chunk({ content: 'hi' }), chunk({}, 'stop')),
        );
        const provider = new OpenAiChatProvider({ apiKey, baseUrl, ids: counterIds() });
        assert.deepEqual(await collect(provider.stream(modelRequest({ model }), never)), [
          { type: 'text_delta', index: 0, text: 'hi' },
          { type: 'end', stopReason: 'end_turn' },
        ]);
        await provider.listModels(never);
        const sent = server.seen
          .slice(-2)
          .map(({ headers }) => [headers.authorization, headers['openai-organization'], headers['openai-project']]);
        const own = [apiKey && `Bearer ${apiKey}`, undefined, undefined];
        assert.deepEqual(sent, [own, own]);
      });
    }
  });

  it('takes reasoning under its other name, a refusal, and chunks without choices', async () => {
    const baseUrl = await server.start((_, response) =>
      sendSse(
        response,
        { data: { id: 'c' } },
        chunk({ reasoning: 'hm' }),
        chunk({ refusal: 'I will not.' }),
        chunk({}, 'stop'),
        { data: '[DONE]' },
      ),
    );
    assert.deepEqual(await collect(providerAt(baseUrl).stream(modelRequest({ model }), never)), [
      { type: 'thinking_delta', index: 0, text: 'hm' },
      { type: 'thinking_end', index: 0, thinking: 'hm', signature: '' },
      { type: 'text_delta', index: 1, text: 'I will not.' },
      { type: 'end', stopReason: 'refusal' },
    ]);
  });

  for (const [finish, stopReason] of [
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['model_context_window_exceeded', 'context_exceeded'],
    ['error', 'error'],
    ['eos_token', 'end_turn'],
  ] as const) {
    it(`maps the finish reason ${finish}`, async () => {
      const baseUrl = await server.start((_, response) =>
        sendSse(response, chunk({ content: 'x' }), chunk({}, finish)),
      );
      const events = await collect(providerAt(baseUrl).stream(modelRequest({ model }), never));
      assert.deepEqual(events.at(-1), { type: 'end', stopReason });
    });
  }

  it('reads the status of an upstream error out of the stream', async () => {
    const baseUrl = await server.start((_, response) =>
      sendSse(response, chunk({ content: 'x' }), {
        data: { error: { code: 429, message: 'upstream is busy' }, choices: [] },
      }),
    );
    const { error } = await collectUntilError(providerAt(baseUrl).stream(modelRequest({ model }), never));
    assert.deepEqual(error instanceof ProviderError && [error.kind, error.status], ['rate_limit', 429]);
  });

  it('an overflow told inside a 200 stream is too_long (LM Studio)', async () => {
    const message = 'The number of tokens to keep from the initial prompt is greater than the context length.';
    const baseUrl = await server.start((_, response) =>
      sendSse(response, { event: 'error', data: { error: { message } } }),
    );
    const { error } = await collectUntilError(providerAt(baseUrl).stream(modelRequest({ model }), never));
    assert.equal(error instanceof ProviderError && error.kind, 'too_long');
  });

  it('lists only chat models of OpenAI’s own API, the newest first', async () => {
    const data = [
      { id: 'gpt-5', created: 1 },
      { id: 'text-embedding-3-large', created: 5 },
      { id: 'gpt-6', created: 3 },
      { id: 'gpt-realtime', created: 4 },
    ];
    const fake: typeof fetch = async () => Response.json({ object: 'list', data });
    const provider = new OpenAiChatProvider({ apiKey: 'k', baseUrl: undefined, fetch: fake, ids: counterIds() });
    assert.deepEqual(await provider.listModels(never), ['gpt-6', 'gpt-5']);
  });

  it('a list that fails is a ProviderError, an aborted one throws the reason', async () => {
    const baseUrl = await server.start((_, response) => sendError(response, 500, { error: { message: 'no' } }));
    assert.equal((await providerErrorOf(providerAt(baseUrl).listModels(never))).kind, 'server');
    const reason = new Error('closed');
    await assert.rejects(providerAt(baseUrl).listModels(AbortSignal.abort(reason)), (error) => error === reason);
  });
});

function replayed(events: StreamEvent[]): RequestMessage[] {
  const calls = ofType(events, 'tool_call_end');
  return [
    {
      role: 'assistant',
      content: calls.map(({ callId, name, input }) => ({ type: 'tool_call', callId, name, input })),
    },
    {
      role: 'user',
      content: calls.map(({ callId }) => ({ type: 'tool_result', callId, content: 'text', isError: false })),
    },
  ];
}
