import assert from 'node:assert/strict';
import { anthropicClient, anthropicModel, postBytes, postChat, postMessages } from './clients.ts';
import { maskHeaders } from './log.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const user = { role: 'user' as const, content: 'hello \u{1f4c1}' };

describe('log of requests', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  it('keeps body, bytes, time on the clock, usage and status of every request', async () => {
    await postMessages(rig, [user]);
    rig.clock.advance(1234);
    await postChat(rig, [user]);
    const [first, second] = rig.requests;
    assert.deepEqual(first?.body, { model: anthropicModel, max_tokens: 4096, messages: [user] });
    assert.equal(first?.raw.toString('utf8'), JSON.stringify(first?.body));
    assert.equal((second?.at ?? 0) - (first?.at ?? 0), 1234);
    assert.deepEqual([first?.n, first?.wire, first?.status, first?.end], [1, 'anthropic', 200, 'complete']);
    assert.deepEqual([second?.n, second?.wire, second?.path], [2, 'openai', '/v1/chat/completions']);
    assert.deepEqual(first?.usage, { input: 3, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1 });
  });

  it('keeps only the newest bodies when told so', async () => {
    const short = await startRig({ bodiesKept: 2 });
    short.script(() => reply(say('x')));
    for (let count = 0; count < 4; count++) await postMessages(short, [user]);
    assert.deepEqual(
      short.requests.map((request) => [request.n, request.raw.length > 0, request.prompt !== undefined]),
      [
        [1, false, false],
        [2, false, false],
        [3, true, true],
        [4, true, true],
      ],
    );
    await short.close();
  });

  it('takes the time from another source', async () => {
    const other = await startRig({ now: () => 42 });
    other.script(reply(say('x')));
    await postMessages(other, [user]);
    assert.equal(other.requests[0]?.at, 42);
    await other.close();
  });

  it('masks keys in any header that carries one', () => {
    const masked = maskHeaders({ authorization: 'Bearer sk-secret-1', 'x-api-key': 'sk-secret-2', accept: 'a' });
    assert.deepEqual(masked, { authorization: 'Bearer sk-s...', 'x-api-key': 'sk-s...', accept: 'a' });
  });

  it('keeps broken rules in order, with the number of the request', async () => {
    await postMessages(rig, [{ role: 'user', content: ' ' }]);
    await postMessages(rig, [user]);
    await postChat(rig, [{ role: 'user', content: '\ud800' }]);
    assert.deepEqual(
      rig.violations.map(({ request, rule }) => [request, rule]),
      [
        [1, 'R2'],
        [3, 'R3'],
      ],
    );
    assert.equal(rig.requests[0]?.status, 400);
  });

  it('answers other paths with a 404 and keeps them apart', async () => {
    assert.equal((await postBytes(`${rig.baseUrlOpenAI}/responses`, '{}')).status, 404);
    assert.equal(rig.otherRequests[0]?.path, '/v1/responses');
    assert.equal(rig.requests.length, 0);
  });

  it('ignores the query of the path, as beta calls of the SDK send one', async () => {
    const message = await anthropicClient(rig).beta.messages.create({
      model: anthropicModel,
      max_tokens: 5,
      messages: [user],
    });
    assert.equal(message.content[0]?.type === 'text' && message.content[0].text, 'ok');
  });
});

describe('shape of requests', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  const use = (input: unknown, id = 'a') => [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'x', input }] },
  ];
  const anthropic: [string, unknown[], Record<string, unknown>, RegExp][] = [
    ['no messages', [], {}, /messages: at least one/],
    [
      'an assistant first',
      [{ role: 'assistant', content: 'x' }],
      {},
      /messages\.0: first message must use the "user" role/,
    ],
    ['no max_tokens', [user], { max_tokens: undefined }, /max_tokens: field required/],
    [
      'a thinking budget that is too large',
      [user],
      { thinking: { type: 'enabled', budget_tokens: 4096 } },
      /max_tokens: must be greater/,
    ],
    ['arguments that are no object', use('{}'), {}, /messages\.1\.content\.0\.input: expected an object/],
    ['an id with a colon', use({}, 'a:b'), {}, /messages\.1\.content\.0\.id: must match/],
    [
      'a result of the assistant',
      [user, { role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'a' }] }],
      {},
      /may only stand in a message of the user/,
    ],
    ['an unknown block', [{ role: 'user', content: [{ type: 'surprise' }] }], {}, /"surprise" is not known/],
    ['a tool without schema', [user], { tools: [{ name: 'x' }] }, /tools\.0\.input_schema: field required/],
    [
      'an unknown TTL',
      [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '2h' } }] }],
      {},
      /expected 5m or 1h/,
    ],
  ];
  for (const [name, messages, more, expected] of anthropic)
    it(`Anthropic: refuses ${name}`, async () => {
      const answer = await postMessages(rig, messages, more);
      assert.equal(answer.status, 400);
      assert.match(answer.error, expected);
      assert.equal(rig.violations[0]?.rule, 'SHAPE');
    });

  const openai: [string, unknown[], Record<string, unknown>, RegExp][] = [
    ['an unknown role', [{ role: 'robot', content: 'x' }], {}, /messages\.0\.role: "robot"/],
    ['an assistant without content', [{ role: 'assistant' }], {}, /messages\.0\.content: required/],
    [
      'an empty list of calls',
      [{ role: 'assistant', content: 'x', tool_calls: [] }],
      {},
      /tool_calls: must not be empty/,
    ],
    [
      'arguments that are no text',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: {} } }] }],
      {},
      /function\.arguments: expected text/,
    ],
    ['an empty list of tools', [user], { tools: [] }, /tools: expected a list that is not empty/],
  ];
  for (const [name, messages, more, expected] of openai)
    it(`OpenAI: refuses ${name}`, async () => {
      assert.match((await postChat(rig, messages, more)).error, expected);
      assert.equal(rig.violations[0]?.rule, 'SHAPE');
    });

  it('refuses a body that is not JSON', async () => {
    assert.match(
      (await postBytes(`${rig.baseUrlAnthropic}/v1/messages`, '{"model":')).error,
      /^SHAPE: the body is not JSON/,
    );
  });

  it('takes a system message between turns', async () => {
    const messages = [user, { role: 'assistant', content: 'ok' }, { role: 'system', content: 'note' }, user];
    assert.equal((await postMessages(rig, messages)).error, '');
    assert.equal((await postChat(rig, messages)).error, '');
  });
});
