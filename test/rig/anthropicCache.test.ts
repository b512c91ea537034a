import assert from 'node:assert/strict';
import { anthropicClient, anthropicModel, postMessages } from './clients.ts';
import type { JsonRecord } from './json.ts';
import type { UsageGiven } from './log.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const minute = 60_000;
const marked = (ttl?: '5m' | '1h') => ({ cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } });
/** A text of the given tokens by the rig's rule. */
const text = (tokens: number, letter = 'x') => ({ type: 'text', text: letter.repeat(tokens * 4) });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const system = (ttl?: '5m' | '1h', letter = 's') => ({ system: [{ ...text(2000, letter), ...marked(ttl) }] });
const unmarkedSystem = { system: [text(2000, 's')] };

describe('R7: Anthropic-like cache', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  async function usage(messages: unknown[], more: JsonRecord = {}): Promise<Omit<UsageGiven, 'output'>> {
    const answer = await postMessages(rig, messages, more);
    assert.equal(answer.error, '');
    const given = rig.requests.at(-1)?.usage;
    assert.ok(given);
    const { output: _, ...rest } = given;
    return rest;
  }

  const account = (input: number, cacheRead: number, cacheWrite5m = 0, cacheWrite1h = 0) => ({
    input,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
  });

  it('writes at a marker and reads it back', async () => {
    assert.deepEqual(await usage([user(text(10))], system()), account(10, 0, 2000));
    assert.deepEqual(await usage([user(text(20))], system()), account(20, 2000));
  });

  it('reports the same figures on the wire', async () => {
    rig.script(reply(say('ok')), reply(say('ok')));
    const request = {
      model: anthropicModel,
      max_tokens: 10,
      system: [
        {
          type: 'text' as const,
          text: 's'.repeat(8000),
          cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
        },
      ],
      messages: [{ role: 'user' as const, content: 'hello' }],
    };
    const first = await anthropicClient(rig).messages.stream(request).finalMessage();
    assert.equal(first.usage.cache_creation_input_tokens, 2000);
    assert.equal(first.usage.cache_creation?.ephemeral_1h_input_tokens, 2000);
    assert.equal(first.usage.cache_creation?.ephemeral_5m_input_tokens, 0);
    const second = await anthropicClient(rig).messages.stream(request).finalMessage();
    assert.equal(second.usage.cache_read_input_tokens, 2000);
    assert.equal(second.usage.cache_creation_input_tokens, 0);
    assert.equal(second.usage.input_tokens, 2);
  });

  it('stores nothing without a marker', async () => {
    assert.deepEqual(await usage([user(text(10))], unmarkedSystem), account(2010, 0));
    assert.deepEqual(await usage([user(text(10))], system()), account(10, 0, 2000));
  });

  it('mutation: a marker removed later reads nothing', async () => {
    await usage([user(text(10))], system());
    assert.deepEqual(await usage([user(text(10))], unmarkedSystem), account(2010, 0));
  });

  it('mutation: a marker moved before the entry reads nothing of it', async () => {
    const two = (first: object, second: object) => ({
      system: [
        { ...text(1500, 'a'), ...first },
        { ...text(500, 'b'), ...second },
      ],
    });
    await usage([user(text(10))], two({}, marked()));
    assert.deepEqual(await usage([user(text(10))], two(marked(), {})), account(510, 0, 1500));
  });

  it('a marker moved on reads the entry before it and writes the rest', async () => {
    await usage([user({ ...text(1000), ...marked() })], unmarkedSystem);
    const messages = [user(text(1000)), assistant(text(50)), user({ ...text(70), ...marked() })];
    assert.deepEqual(await usage(messages, unmarkedSystem), account(0, 3000, 120));
  });

  it('reads the longest of several live entries', async () => {
    const head = system();
    await usage([user({ ...text(1000), ...marked() })], head);
    const messages = [user(text(1000)), assistant(text(5)), user({ ...text(7), ...marked() })];
    assert.deepEqual(await usage(messages, head), account(0, 3000, 12));
  });

  it('looks back 20 blocks from a marker, and not 21', async () => {
    const row = (blocks: number) => [
      user({ ...text(1200, 'h') }, ...Array.from({ length: blocks - 1 }, () => text(1)), { ...text(1), ...marked() }),
    ];
    await usage([user({ ...text(1200, 'h'), ...marked() })]);
    assert.deepEqual(await usage(row(20)), account(0, 1200, 20));
    await rig.close();
    rig = await startRig();
    rig.script(() => reply(say('ok')));
    await usage([user({ ...text(1200, 'h'), ...marked() })]);
    assert.deepEqual(await usage(row(21)), account(0, 0, 1221));
  });

  it('mutation: a batch of 25 results leaves the entry out of reach, a marker in between keeps it', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `t${index}`);
    const ask = user({ ...text(2000, 'q'), ...marked() });
    const plainAsk = user(text(2000, 'q'));
    const calls = assistant(...ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })));
    const results = (markAt: number[]) =>
      user(
        ...ids.map((id, index) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: 'r'.repeat(40),
          ...(markAt.includes(index) ? marked() : {}),
        })),
      );
    await usage([ask]);
    const missed = await usage([plainAsk, calls, results([24])]);
    assert.equal(missed.cacheRead, 0);

    await rig.close();
    rig = await startRig();
    rig.script(() => reply(say('ok')));
    await usage([ask]);
    const kept = await usage([ask, calls, results([24])]);
    assert.equal(kept.cacheRead, 2000);
  });

  it('mutation: after five minutes the entry is gone; one of an hour lives on', async () => {
    await usage([user(text(10))], system('5m'));
    rig.clock.advance(5 * minute);
    assert.deepEqual(await usage([user(text(10))], system('5m')), account(10, 0, 2000));

    await usage([user(text(10))], system('1h', 'l'));
    rig.clock.advance(59 * minute);
    assert.deepEqual(await usage([user(text(10))], system('1h', 'l')), account(10, 2000));
    rig.clock.advance(60 * minute);
    assert.deepEqual(await usage([user(text(10))], system('1h', 'l')), account(10, 0, 0, 2000));
  });

  it('reading refreshes an entry', async () => {
    await usage([user(text(10))], system());
    for (let round = 0; round < 3; round++) {
      rig.clock.advance(4 * minute);
      assert.equal((await usage([user(text(10))], system())).cacheRead, 2000);
    }
  });

  it('reading by look-back refreshes the entry as well', async () => {
    await usage([user({ ...text(2000), ...marked() })]);
    rig.clock.advance(4 * minute);
    const moved = [user(text(2000)), assistant(text(3)), user({ ...text(4), ...marked() })];
    assert.equal((await usage(moved)).cacheRead, 2000);
    rig.clock.advance(4 * minute);
    assert.equal((await usage([user({ ...text(2000), ...marked() })])).cacheRead, 2000);
  });

  it('a live entry keeps its own TTL', async () => {
    await usage([user(text(10))], system('1h'));
    await usage([user(text(10))], system('5m'));
    rig.clock.advance(30 * minute);
    assert.equal((await usage([user(text(10))], system('5m'))).cacheRead, 2000);
  });

  it('the first image loses the messages part only', async () => {
    const data = Buffer.from('GIF89a\x03\x00\x05\x00', 'latin1').toString('base64');
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data } };
    const first = user({ ...text(3000), ...marked() });
    await usage([first], system());
    assert.equal((await usage([first, assistant(text(1)), user(picture)], system())).cacheRead, 2000);
    assert.equal((await usage([first, assistant(text(1)), user(picture)], system())).cacheRead, 5000);
  });

  it('takes a marker inside a tool result', async () => {
    const use = assistant({ type: 'tool_use', id: 'a', name: 'x', input: {} });
    const content = [{ ...text(1500, 'r'), ...marked() }];
    const messages = [user(text(10)), use, user({ type: 'tool_result', tool_use_id: 'a', content })];
    await usage(messages);
    assert.equal((await usage(messages)).cacheRead, 1511);
  });

  it('splits what it writes by TTL', async () => {
    const messages = [user({ ...text(300), ...marked('5m') })];
    assert.deepEqual(await usage(messages, system('1h')), account(0, 0, 300, 2000));
  });

  it('stores nothing below the minimum length of the model', async () => {
    const short = { system: [{ ...text(1023), ...marked() }] };
    assert.deepEqual(await usage([user(text(1))], short), account(1024, 0));
    assert.deepEqual(await usage([user(text(1))], short), account(1024, 0));
    const enough = { system: [{ ...text(1024), ...marked() }] };
    assert.deepEqual(await usage([user(text(1))], enough), account(1, 0, 1024));
    for (const model of rig.settings.models) model.minCacheTokens = 512;
    assert.deepEqual(await usage([user(text(1))], short), account(1, 0, 1023));
  });

  it('a change of one byte in tools or system, or of the model, loses what comes after', async () => {
    const tools = (description: string) => [{ name: 'ls', description, input_schema: { type: 'object' } }];
    await usage([user(text(10))], { ...system(), tools: tools('list') });
    assert.equal((await usage([user(text(10))], { ...system(), tools: tools('list') })).cacheRead > 2000, true);
    assert.equal((await usage([user(text(10))], { ...system(), tools: tools('List') })).cacheRead, 0);
    assert.equal((await usage([user(text(10))], { ...system('5m', 'S'), tools: tools('list') })).cacheRead, 0);
    assert.equal(
      (await usage([user(text(10))], { ...system(), tools: tools('list'), model: 'claude-sonnet-5-5' })).cacheRead,
      0,
    );
  });

  it('a change of thinking or tool_choice loses the messages part only', async () => {
    const messages = [user({ ...text(3000), ...marked() })];
    await usage(messages, system());
    const more = { ...system(), tool_choice: { type: 'none' } };
    assert.deepEqual(await usage(messages, more), account(0, 2000, 3000));
    const withThinking = { ...system(), thinking: { type: 'enabled', budget_tokens: 1024 } };
    assert.deepEqual(await usage(messages, withThinking), account(0, 2000, 3000));
  });

  it('takes a marker at the top level for one on the last block', async () => {
    const top = { ...unmarkedSystem, ...marked() };
    assert.deepEqual(await usage([user(text(10))], top), account(0, 0, 2010));
    assert.deepEqual(await usage([user(text(10)), assistant(text(3)), user(text(5))], top), account(0, 2010, 8));
  });

  it('a refused request writes nothing', async () => {
    await postMessages(rig, [user(text(10)), assistant({ type: 'tool_use', id: 'a', name: 'x', input: {} })], system());
    assert.deepEqual(await usage([user(text(10))], system()), account(10, 0, 2000));
  });

  it('refuses a fifth marker', async () => {
    const many = user(...Array.from({ length: 5 }, () => ({ ...text(1), ...marked() })));
    const answer = await postMessages(rig, [many]);
    assert.equal(answer.status, 400);
    assert.match(answer.error, /^R7: a maximum of 4 blocks with cache_control may be provided, found 5/);
    assert.equal((await postMessages(rig, [user(...many.content.slice(1))])).status, 200);
  });

  it('refuses a marker on thinking', async () => {
    rig.script(reply({ kind: 'thinking', pieces: ['hm'] }, say('x')));
    const first = await postMessages(rig, [user(text(1))], { thinking: { type: 'enabled', budget_tokens: 1024 } });
    const [thought, ...rest] = Array.isArray(first.body.content) ? first.body.content : [];
    const messages = [user(text(1)), assistant({ ...thought, ...marked() }, ...rest), user(text(1))];
    assert.match(
      (await postMessages(rig, messages)).error,
      /^R7: messages\.1\.content\.0: cache_control cannot be set/,
    );
  });

  it('refuses a marker of one hour after one of five minutes', async () => {
    const messages = [user({ ...text(1), ...marked('1h') })];
    assert.match((await postMessages(rig, messages, system('5m'))).error, /^R7: .*1h must not stand after one of 5m/);
  });
});
