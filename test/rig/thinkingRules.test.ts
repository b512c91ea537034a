import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { anthropicClient, anthropicModel, postMessages } from './clients.ts';
import { isRecord, type JsonRecord } from './json.ts';
import { call, pause, redacted, reply, say, think } from './script.ts';
import { type Rig, startRig } from './server.ts';
import { until } from './until.ts';

const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
const ask = { role: 'user', content: 'which file?' } as const;
const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
const on = { thinking, tools, system: 'be brief' };
const tolerantModel = 'claude-sonnet-4-5';

describe('R4 and R9: thinking', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  /** Streams the next scripted turn through the SDK and returns its content as the SDK collected it. */
  async function turn(messages: readonly unknown[], model = anthropicModel): Promise<JsonRecord[]> {
    const body = { model, max_tokens: 4096, ...on, messages: messages as Anthropic.MessageParam[] };
    const { content } = await anthropicClient(rig).messages.stream(body).finalMessage();
    return content.map((block) => {
      const { citations: _, caller: __, ...rest }: JsonRecord = { ...block };
      return rest;
    });
  }

  const assistant = (content: unknown[]) => ({ role: 'assistant', content });
  const result = (id: unknown) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'text' }],
  });
  const idOf = (content: JsonRecord[]) => content.find((block) => block.type === 'tool_use')?.id;

  /** A loop of one call, opened by the rig: its first turn and the messages that continue it. */
  async function openLoop(model = anthropicModel) {
    rig.script(reply(think('first ', 'look'), redacted('hidden'), call('read', { path: 'a' })), reply(say('done')));
    const content = await turn([ask], model);
    return { content, next: (changed: unknown[]) => [ask, assistant(changed), result(idOf(content))] };
  }

  it('R4: takes thinking back byte-identical', async () => {
    const { content, next } = await openLoop();
    const answer = await postMessages(rig, next(content), on);
    assert.equal(answer.error, '');
    assert.equal(answer.status, 200);
  });

  const changes: [string, (content: JsonRecord[]) => unknown[], RegExp][] = [
    ['shortened thinking', ([first, ...rest]) => [{ ...first, thinking: 'first' }, ...rest], /changed or is not ours/],
    ['a foreign signature', ([first, ...rest]) => [{ ...first, signature: 'abc' }, ...rest], /changed or is not ours/],
    ['changed redacted data', ([a, b, ...c]) => [a, { ...b, data: `${b?.data}x` }, ...c], /redacted block was changed/],
    ['a turn with half of its thinking', ([first, , ...rest]) => [first, ...rest], /only 1 of the turn's 2 thinking/],
    ['a turn without its first thinking', ([, ...rest]) => rest, /thinking block of the same turn is missing/],
    ['thinking in another order', ([a, b, ...c]) => [b, a, ...c], /is missing before it/],
    ['thinking moved behind the call', ([a, b, c]) => [a, c, b], /moved within its turn/],
    [
      'redacted data shown as thinking',
      ([a, b, c]) => [a, { type: 'thinking', thinking: 'hidden', signature: b?.data }, c],
      /changed/,
    ],
  ];
  for (const [name, change, expected] of changes)
    it(`R4: refuses ${name}`, async () => {
      const { content, next } = await openLoop();
      const answer = await postMessages(rig, next(change(content)), on);
      assert.equal(answer.status, 400);
      assert.match(answer.error, /^R4: messages\.1/);
      assert.match(answer.error, expected);
    });

  it('R4: refuses thinking moved to another turn', async () => {
    rig.script(reply(think('one'), say('1')), reply(think('two'), say('2')));
    const first = await turn([ask]);
    const second = await turn([ask, assistant(first), ask]);
    const mixed = [first[0], second[0], first[1]];
    rig.script(reply(say('3')));
    const answer = await postMessages(rig, [ask, assistant(first.slice(1)), ask, assistant(mixed), ask], on);
    assert.match(answer.error, /^R[49]: messages\.3/);
  });

  it('R4: accepts a first block alone when the stream was cut after it', async () => {
    rig.script(
      reply(think('one'), say('text'), think('two'), call('read', {}), {
        fault: { action: 'cut', at: 'content_block_start', nth: 3 },
      }),
    );
    const stream = anthropicClient(rig).messages.stream({
      model: anthropicModel,
      max_tokens: 4096,
      thinking,
      messages: [ask],
    });
    const blocks: unknown[] = [];
    stream.on('contentBlock', (block) => blocks.push(block));
    await assert.rejects(stream.finalMessage());
    assert.equal(blocks.length, 2);
    const [first] = blocks;
    assert.ok(isRecord(first));
    rig.script(reply(say('ok')));
    const messages = [ask, assistant([first, { type: 'text', text: 'text' }]), ask];
    assert.equal((await postMessages(rig, messages, { thinking })).error, '');
  });

  it('R9: refuses thinking after anything before it changed', async () => {
    const { content, next } = await openLoop();
    const changed: [string, unknown[], JsonRecord][] = [
      ['system', next(content), { ...on, system: 'be long' }],
      ['tools', next(content), { ...on, tools: [] }],
      ['messages', [{ role: 'user', content: 'which file? Now.' }, ...next(content).slice(1)], on],
      [
        'a new first message',
        [{ role: 'user', content: 'summary' }, { role: 'assistant', content: 'ok' }, ...next(content)],
        on,
      ],
    ];
    for (const [what, messages, more] of changed) {
      const answer = await postMessages(rig, messages, more);
      assert.match(answer.error, /^R9: .*bound to a different conversation/, what);
    }
    assert.equal(rig.violations.length, changed.length);
  });

  it('R9: refuses thinking of another model', async () => {
    const { content, next } = await openLoop();
    const answer = await postMessages(rig, next(content), { ...on, model: 'claude-sonnet-5-5' });
    assert.match(answer.error, /^R9: .*bound to a different conversation or model/);
  });

  it('R9: a cache marker moved before the thinking changes nothing', async () => {
    const { content, next } = await openLoop();
    const system = [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }];
    assert.equal((await postMessages(rig, next(content), { ...on, system })).status, 200);
  });

  it('R9: an open loop must carry its thinking while thinking is on', async () => {
    const { content, next } = await openLoop();
    const bare = next(content.slice(2));
    assert.match(
      (await postMessages(rig, bare, on)).error,
      /^R9: messages\.1: with thinking on, the last assistant turn/,
    );
    assert.equal((await postMessages(rig, bare, { ...on, thinking: { type: 'disabled' } })).status, 200);
  });

  it('R9: a steer beside the results leaves the loop open; a new user turn closes it', async () => {
    const { content, next } = await openLoop();
    const [, use, answer] = next(content.slice(2));
    assert.ok(isRecord(answer) && Array.isArray(answer.content));
    const steered = { role: 'user', content: [...answer.content, { type: 'text', text: 'hurry' }] };
    assert.match((await postMessages(rig, [ask, use, steered], on)).error, /^R9: /);
    const closed = [ask, use, answer, { role: 'assistant', content: 'done' }, ask];
    assert.equal((await postMessages(rig, closed, on)).status, 200);
  });

  it('R9: a turn in which the model thought nothing has nothing to carry', async () => {
    rig.script(reply(call('read', { path: 'a' })), reply(say('done')));
    const content = await turn([ask]);
    assert.equal((await postMessages(rig, [ask, assistant(content), result(idOf(content))], on)).status, 200);
  });

  it('R9: thinking switched on in the middle of a loop is refused', async () => {
    rig.script(reply(call('read', { path: 'a' })));
    const first = await postMessages(rig, [ask], { tools, system: 'be brief' });
    const content = (Array.isArray(first.body.content) ? first.body.content : []).map((block: JsonRecord) => {
      const { caller: _, ...rest } = block;
      return rest;
    });
    assert.match((await postMessages(rig, [ask, assistant(content), result(idOf(content))], on)).error, /^R9: /);
  });

  it('R9 is off for a model that does not bind thinking; R4 is not', async () => {
    const { content, next } = await openLoop(tolerantModel);
    const other = { ...on, model: tolerantModel, system: 'be long' };
    assert.equal((await postMessages(rig, next(content), other)).status, 200);
    const shortened = [{ ...content[0], thinking: 'f' }, ...content.slice(1)];
    assert.match((await postMessages(rig, next(shortened), other)).error, /^R4: /);
  });

  it('R9 can be switched for a model', async () => {
    for (const model of rig.settings.models) model.strictThinking = false;
    const { content, next } = await openLoop();
    assert.equal((await postMessages(rig, next(content.slice(2)), on)).status, 200);
  });

  it('counts a turn as cut when the client leaves', async () => {
    rig.script(reply(think('one'), pause(5000), think('two'), say('never')));
    const stream = anthropicClient(rig).messages.stream({
      model: anthropicModel,
      max_tokens: 4096,
      thinking,
      messages: [ask],
    });
    const [first] = await new Promise<unknown[]>((resolve) => {
      stream.on('contentBlock', (block) => resolve([block]));
    });
    stream.abort();
    await assert.rejects(stream.finalMessage());
    rig.script(reply(say('ok')));
    assert.equal((await postMessages(rig, [ask, assistant([first]), ask], { thinking })).error, '');
    await until(() => rig.requests[0]?.end === 'left', 'the rig notices');
  });
});
