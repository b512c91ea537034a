import assert from 'node:assert/strict';
import { postBytes, postChat, postMessages } from './clients.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const ask = { role: 'user', content: 'hello' };
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] };
const answered = (content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', content }],
});

describe('R2 and R3: text', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  const blank: [string, unknown[], Record<string, unknown>][] = [
    ['an empty user text', [{ role: 'user', content: '' }], {}],
    ['a text block of newlines', [ask, { role: 'assistant', content: [{ type: 'text', text: '\n\n' }] }, ask], {}],
    ['an empty system block', [ask], { system: [{ type: 'text', text: ' ' }] }],
    ['an empty tool result', [ask, use, answered('')], {}],
    ['a blank text inside a tool result', [ask, use, answered([{ type: 'text', text: ' \n' }])], {}],
  ];
  for (const [name, messages, more] of blank)
    it(`R2: refuses ${name}`, async () => {
      const answer = await postMessages(rig, messages, more);
      assert.equal(answer.status, 400);
      assert.match(answer.error, /^R2: .* is empty or only whitespace$/);
    });

  it('R2: refuses white space at the end of a last assistant text, and only there', async () => {
    const prefill = { role: 'assistant', content: 'Done. \n ' };
    assert.match((await postMessages(rig, [ask, prefill])).error, /^R2: .*must not end in whitespace/);
    assert.equal((await postMessages(rig, [ask, prefill, ask])).status, 200);
  });

  it('R2: OpenAI refuses empty content, and takes null beside calls', async () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }];
    const rest = [{ role: 'tool', tool_call_id: 'a', content: 'b.ts' }];
    const empty = await postChat(rig, [ask, { role: 'assistant', content: '', tool_calls: calls }, ...rest]);
    assert.match(empty.error, /^R2: messages\.1\.content is empty/);
    const without = await postChat(rig, [ask, { role: 'assistant', content: null, tool_calls: calls }, ...rest]);
    assert.equal(without.status, 200);
  });

  it('R3: refuses a lone surrogate, in text and in arguments', async () => {
    const half = '\u{1f4c1}'.slice(0, 1);
    assert.match((await postMessages(rig, [{ role: 'user', content: `x${half}` }])).error, /^R3: .*lone surrogate/);
    const call = { type: 'tool_use', id: 'a', name: 'ls', input: { deep: [`${half}`] } };
    const messages = [ask, { role: 'assistant', content: [call] }, answered('x')];
    assert.match((await postMessages(rig, messages)).error, /^R3: body\.messages\.1\.content\.0\.input\.deep\.0/);
  });

  it('R3: refuses a body that is not UTF-8', async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xf0, 0x9f, 0x22, 0x7d]);
    assert.match(
      (await postBytes(`${rig.baseUrlOpenAI}/chat/completions`, body)).error,
      /^R3: the body is not valid UTF-8/,
    );
  });

  it('R3: takes whole emoji', async () => {
    assert.equal((await postChat(rig, [{ role: 'user', content: 'a \u{1f4c1} b' }])).status, 200);
  });

  it('R3: refuses U+FFFD unless the test says that its input has it', async () => {
    const messages = [{ role: 'user', content: 'a\ufffdb' }];
    assert.match((await postMessages(rig, messages)).error, /^R3: .*U\+FFFD/);
    rig.settings.replacementCharacterAllowed = true;
    assert.equal((await postMessages(rig, messages)).status, 200);
  });

  it('R3: takes back a U+FFFD that the model itself has said', async () => {
    rig.script(reply(say('odd \ufffd')));
    await postMessages(rig, [ask]);
    assert.equal((await postMessages(rig, [ask, { role: 'assistant', content: 'odd \ufffd' }, ask])).status, 200);
  });
});
