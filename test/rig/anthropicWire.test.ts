import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { anthropicClient, anthropicModel } from './clients.ts';
import { call, pause, redacted, reply, say, think } from './script.ts';
import { type Rig, startRig } from './server.ts';

const hello = { model: anthropicModel, max_tokens: 4096, messages: [{ role: 'user' as const, content: 'hello' }] };

describe('Anthropic wire through the SDK', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  it('streams text in the scripted pieces', async () => {
    rig.script(reply(say('Hel', 'lo ', 'you')));
    const pieces: string[] = [];
    const stream = anthropicClient(rig).messages.stream(hello);
    stream.on('text', (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    assert.deepEqual(pieces, ['Hel', 'lo ', 'you']);
    assert.equal(message.stop_reason, 'end_turn');
    assert.equal(message.usage.input_tokens, 2);
    assert.equal(message.usage.output_tokens, 3);
    assert.deepEqual(rig.violations, []);
  });

  it('sends the events in the order of the protocol', async () => {
    rig.script(reply(say('a'), call('read', { path: 'a.ts' }, { fragments: ['{"path":', '"a.ts"}'] })));
    const types: string[] = [];
    for await (const event of await anthropicClient(rig).messages.create({ ...hello, stream: true }))
      types.push(event.type);
    assert.deepEqual(types, [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('streams tool calls with unique ids and whole arguments', async () => {
    const input = { path: 'src/a.ts', text: `${'x'.repeat(300)} \u{1f4c1}` };
    rig.script(reply(call('write', input), call('read', { path: 'b' }, { id: 'toolu_mine' })));
    const message = await anthropicClient(rig).messages.stream(hello).finalMessage();
    assert.deepEqual(
      message.content.map((block) => (block.type === 'tool_use' ? [block.id, block.name, block.input] : block.type)),
      [
        ['toolu_rig_1', 'write', input],
        ['toolu_mine', 'read', { path: 'b' }],
      ],
    );
    assert.equal(message.stop_reason, 'tool_use');
  });

  it('streams thinking with its signature, and redacted thinking', async () => {
    rig.script(reply(think('let ', 'me see'), redacted('secret'), say('done')));
    const message = await anthropicClient(rig)
      .messages.stream({ ...hello, thinking: { type: 'enabled', budget_tokens: 1024 } })
      .finalMessage();
    const [first, second, third] = message.content;
    assert.equal(first?.type === 'thinking' && first.thinking, 'let me see');
    assert.ok(first?.type === 'thinking' && first.signature.length > 20);
    assert.equal(second?.type, 'redacted_thinking');
    assert.equal(third?.type, 'text');
  });

  it('answers without streaming', async () => {
    rig.script(reply(say('one ', 'two'), call('ls', {}), { stopReason: 'max_tokens' }));
    const message = await anthropicClient(rig).messages.create(hello);
    assert.deepEqual(message.content[0], { type: 'text', text: 'one two', citations: null });
    assert.equal(message.stop_reason, 'max_tokens');
  });

  it('reports scripted usage, split by TTL in its own field', async () => {
    rig.script(reply(say('x'), { usage: { input: 400, cacheWrite: 10_000, cacheRead: 90_000, output: 1000 } }));
    const { usage } = await anthropicClient(rig).messages.stream(hello).finalMessage();
    assert.equal(usage.input_tokens, 400);
    assert.equal(usage.cache_creation_input_tokens, 10_000);
    assert.equal(usage.cache_creation?.ephemeral_5m_input_tokens, 10_000);
    assert.equal(usage.cache_read_input_tokens, 90_000);
    assert.equal(usage.output_tokens, 1000);
  });

  it('waits where the script pauses', async () => {
    rig.script(reply(say('a'), pause(80), say('b')));
    const start = performance.now();
    await anthropicClient(rig).messages.stream(hello).finalMessage();
    assert.ok(performance.now() - start >= 75);
  });

  it('lists its models with their window', async () => {
    rig.setCap(32_000);
    const ids: string[] = [];
    for await (const model of anthropicClient(rig).models.list()) {
      ids.push(model.id);
      assert.equal(model.max_input_tokens, 32_000);
    }
    assert.ok(ids.includes(anthropicModel));
    assert.equal(rig.otherRequests.length, 1);
    assert.equal(rig.requests.length, 0);
  });

  it('refuses another key with a 401, and masks it in the log', async () => {
    const attempt = anthropicClient(rig, 'sk-ant-wrong-key').messages.create(hello);
    await assert.rejects(attempt, (error) => error instanceof Anthropic.AuthenticationError && error.status === 401);
    assert.equal(rig.requests[0]?.headers.authorization, 'Bearer sk-a...');
    assert.ok(!JSON.stringify(rig.requests[0]?.headers).includes('wrong-key'));
  });

  it('answers 404 for a model it does not have', async () => {
    const attempt = anthropicClient(rig).messages.create({ ...hello, model: 'claude-nothing' });
    await assert.rejects(
      attempt,
      (error) => error instanceof Anthropic.NotFoundError && error.message.includes('model: claude-nothing'),
    );
  });

  it('calls a script function with the request and a running number', async () => {
    rig.script((request, n) => reply(say(`${n}: ${request.prompt?.messages[0]?.blocks[0]?.texts[0]}`)));
    const client = anthropicClient(rig);
    const first = await client.messages.create(hello);
    const second = await client.messages.create(hello);
    assert.equal(first.content[0]?.type === 'text' && first.content[0].text, '1: hello');
    assert.equal(second.content[0]?.type === 'text' && second.content[0].text, '2: hello');
  });

  it('says so when the script is used up', async () => {
    rig.script(reply(say('only one')));
    const client = anthropicClient(rig);
    await client.messages.create(hello);
    assert.equal(rig.remaining, 0);
    await assert.rejects(client.messages.create(hello), /SCRIPT: the script has no reply/);
    assert.equal(rig.violations[0]?.rule, 'SCRIPT');
  });
});
