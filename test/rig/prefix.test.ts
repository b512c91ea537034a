import assert from 'node:assert/strict';
import { postChat, postMessages } from './clients.ts';
import type { LoggedRequest } from './log.ts';
import { canonicalText, prefixBytes } from './prefix.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const marker = { cache_control: { type: 'ephemeral' } };
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });

describe('prefixBytes', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  async function sent(messages: unknown[], more = {}): Promise<LoggedRequest> {
    assert.equal((await postMessages(rig, messages, more)).error, '');
    const last = rig.requests.at(-1);
    assert.ok(last);
    return last;
  }

  async function sentChat(messages: unknown[], more = {}): Promise<LoggedRequest> {
    assert.equal((await postChat(rig, messages, more)).error, '');
    const last = rig.requests.at(-1);
    assert.ok(last);
    return last;
  }

  it('holds when messages are appended, wherever the markers stand', async () => {
    const a = await sent([user(text('one', marker))], { system: [text('s', marker)] });
    const b = await sent([user(text('one')), assistant(text('two')), user(text('three', marker))], { system: 's' });
    assert.deepEqual(prefixBytes(a, b), { isPrefix: true });
    assert.ok(canonicalText(b).startsWith(canonicalText(a)));
  });

  it('holds for markers inside a tool result', async () => {
    const use = assistant({ type: 'tool_use', id: 'a', name: 'x', input: {} });
    const result = (more: object) => user({ type: 'tool_result', tool_use_id: 'a', content: [text('r', more)] });
    const a = await sent([user(text('one')), use, result(marker)]);
    const b = await sent([user(text('one')), use, result({}), assistant(text('x')), user(text('y'))]);
    assert.deepEqual(prefixBytes(a, b), { isPrefix: true });
  });

  it('names the message that changed, with both texts and the byte', async () => {
    const a = await sent([user(text('one')), assistant(text('\u6f22 two')), user(text('three'))]);
    const b = await sent([user(text('one')), assistant(text('\u6f22 twO')), user(text('three'))]);
    const result = prefixBytes(a, b);
    assert.ok(!result.isPrefix);
    assert.equal(result.zone, 'messages');
    assert.equal(result.path, 'messages.1.content.0');
    assert.equal(result.offset, Buffer.byteLength('assistant>{"type":"text","text":"\u6f22 tw'));
    assert.ok(result.earlier.includes('two') && result.later.includes('twO'));
  });

  it('fails when an earlier message is missing later', async () => {
    const a = await sent([user(text('one')), assistant(text('two')), user(text('three'))]);
    const b = await sent([user(text('one'))]);
    const result = prefixBytes(a, b);
    assert.ok(!result.isPrefix && result.path === 'messages.1.content.0' && result.later === '');
  });

  it('fails when a role changes but not the text', async () => {
    const a = await sent([user(text('one')), assistant(text('two')), user(text('z'))]);
    const b = await sent([user(text('one')), user(text('two')), user(text('z'))]);
    assert.equal(prefixBytes(a, b).isPrefix, false);
  });

  it('fails when tools or system grow or change order', async () => {
    const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
    const a = await sent([user(text('x'))], { tools: [tool('a'), tool('b')], system: [text('s')] });
    const reordered = await sent([user(text('x'))], { tools: [tool('b'), tool('a')], system: [text('s')] });
    const grown = await sent([user(text('x'))], { tools: [tool('a'), tool('b')], system: [text('s'), text('t')] });
    const first = prefixBytes(a, reordered);
    assert.ok(!first.isPrefix && first.zone === 'tools' && first.path === 'tools.0');
    const second = prefixBytes(a, grown);
    assert.ok(!second.isPrefix && second.zone === 'system' && second.path === 'system.1' && second.earlier === '');
  });

  it('fails when only the order of JSON keys changed', async () => {
    const a = await sent([user({ type: 'text', text: 'x' })]);
    const b = await sent([user({ text: 'x', type: 'text' })]);
    assert.equal(prefixBytes(a, b).isPrefix, false);
  });

  it('works for the OpenAI wire, where the bounds of messages count', async () => {
    const head = { role: 'system', content: 'be brief' };
    const a = await sentChat([head, user(text('one'))]);
    const b = await sentChat([head, user(text('one')), { role: 'assistant', content: 'x' }, user(text('two'))]);
    assert.deepEqual(prefixBytes(a, b), { isPrefix: true });
    const joined = await sentChat([head, user(text('one'), text('two'))]);
    const split = await sentChat([head, user(text('one')), user(text('two'))]);
    assert.equal(prefixBytes(joined, split).isPrefix, false);
    const changed = await sentChat([{ role: 'system', content: 'be long' }, user(text('one'))]);
    const result = prefixBytes(a, changed);
    assert.ok(!result.isPrefix && result.zone === 'system');
  });

  it('throws for a request that the wire does not know', async () => {
    await postMessages(rig, [{ role: 'nobody', content: 'x' }]);
    const bad = rig.requests[0];
    const good = await sent([user(text('x'))]);
    assert.ok(bad);
    assert.throws(() => prefixBytes(bad, good), /Request 1 is no model call/);
  });
});
