import assert from 'node:assert/strict';
import { postChat, postMessages } from './clients.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const ask = { role: 'user', content: 'read both' };
const use = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: { path: id } })),
});
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `text of ${id}` });
const results = (...ids: string[]) => ({ role: 'user', content: ids.map(result) });

const chatUse = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: `text of ${id}` });

describe('R1: every call is answered once, directly after its turn, in order', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  const refused: [string, unknown[], RegExp][] = [
    ['a call at the end', [ask, use('toolu_1')], /^R1: tool_use toolu_1 has no tool_result directly after it$/],
    ['a call followed by text', [ask, use('a'), ask], /^R1: tool_use a has no tool_result/],
    ['one of two calls unanswered', [ask, use('a', 'b'), results('a')], /^R1: tool_use b has no tool_result/],
    ['results in two messages', [ask, use('a', 'b'), results('a'), results('b')], /^R1: tool_use b has no/],
    [
      'results out of order',
      [ask, use('a', 'b'), results('b', 'a')],
      /^R1: the tool_results b, a are not in the order/,
    ],
    ['a call answered twice', [ask, use('a'), results('a', 'a')], /^R1: tool_use a has more than one tool_result/],
    [
      'a result without its call',
      [ask, { role: 'assistant', content: 'x' }, results('a')],
      /^R1: tool_result a answers/,
    ],
    ['a result of an earlier turn', [ask, use('a'), results('a', 'old')], /^R1: tool_result old answers no tool_use/],
    [
      'text before the results',
      [ask, use('a'), { role: 'user', content: [{ type: 'text', text: 'wait' }, result('a')] }],
      /^R1: tool_result a stands after other content/,
    ],
    [
      'the same id in two turns',
      [ask, use('a'), results('a'), use('a'), results('a')],
      /^R1: tool_use a stands more than once/,
    ],
  ];
  for (const [name, messages, expected] of refused)
    it(`refuses ${name}`, async () => {
      const answer = await postMessages(rig, messages);
      assert.equal(answer.status, 400);
      assert.match(answer.error, expected);
      assert.deepEqual(
        rig.violations.map((violation) => [violation.rule, violation.request]),
        [['R1', 1]],
      );
    });

  it('accepts two results in one message with text after them', async () => {
    const steer = { type: 'text', text: 'and be quick' };
    const messages = [ask, use('a', 'b'), { role: 'user', content: [result('a'), result('b'), steer] }];
    assert.equal((await postMessages(rig, messages)).status, 200);
    assert.deepEqual(rig.violations, []);
  });

  const refusedChats: [string, unknown[], RegExp][] = [
    ['an unanswered call', [ask, chatUse('a'), ask], /^R1: tool_call a has no tool message directly after it$/],
    ['an empty id', [ask, chatUse(''), chatResult('')], /^R1: tool_call with an empty id/],
    ['results out of order', [ask, chatUse('a', 'b'), chatResult('b'), chatResult('a')], /^R1: the tool messages b, a/],
    ['text between the results', [ask, chatUse('a', 'b'), chatResult('a'), ask, chatResult('b')], /^R1: tool_call b/],
    ['a result without its call', [ask, chatResult('a')], /^R1: tool message a answers no tool_call/],
    ['one id for two calls', [ask, chatUse('a', 'a'), chatResult('a')], /^R1: tool_call a stands more than once/],
  ];
  for (const [name, messages, expected] of refusedChats)
    it(`OpenAI: refuses ${name}`, async () => {
      const answer = await postChat(rig, messages);
      assert.equal(answer.status, 400);
      assert.match(answer.error, expected);
    });

  it('OpenAI: accepts one tool message for each call, in order', async () => {
    const messages = [
      ask,
      chatUse('a', 'b'),
      chatResult('a'),
      chatResult('b'),
      { role: 'assistant', content: 'x' },
      ask,
    ];
    assert.equal((await postChat(rig, messages)).status, 200);
  });

  it('does not use up the script with a refused request', async () => {
    rig.script(reply(say('first')));
    await postMessages(rig, [ask, use('a')]);
    assert.equal(rig.remaining, 1);
  });
});
