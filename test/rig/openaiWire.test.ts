import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { openAiClient, openAiModel } from './clients.ts';
import { call, reply, say, think } from './script.ts';
import { type Rig, startRig } from './server.ts';

type Chunk = OpenAI.ChatCompletionChunk;
const hello = { model: openAiModel, messages: [{ role: 'user' as const, content: 'hello' }] };
const withUsage = { stream_options: { include_usage: true } };

async function chunksOf(rig: Rig, more: { stream_options?: { include_usage: boolean } } = withUsage): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const stream = await openAiClient(rig).chat.completions.create({ ...hello, ...more, stream: true });
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The entries of `tool_calls`, as the servers' oddities leave them. */
function callDeltas(chunks: Chunk[]): Record<string, unknown>[] {
  return chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []).map((delta) => ({ ...delta }));
}

describe('OpenAI wire through the SDK', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  it('streams text, with usage in a last chunk without choices', async () => {
    rig.script(reply(say('Hel', 'lo')));
    const chunks = await chunksOf(rig);
    assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'Hello');
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.equal(chunks.at(-1)?.usage?.prompt_tokens, 2);
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, 2);
    assert.equal(chunks.at(-1)?.usage?.prompt_tokens_details?.cached_tokens, 0);
  });

  it('reports no usage when the request does not ask for it', async () => {
    rig.script(reply(say('x')));
    const chunks = await chunksOf(rig, {});
    assert.ok(chunks.every((chunk) => chunk.usage === undefined && chunk.choices.length === 1));
  });

  it('streams two calls as the SDK collects them', async () => {
    rig.script(reply(say('I read.'), call('read', { path: 'a' }), call('read', { path: 'b' })));
    const stream = openAiClient(rig).chat.completions.stream(hello);
    const message = (await stream.finalChatCompletion()).choices[0]?.message;
    assert.equal(message?.content, 'I read.');
    assert.deepEqual(
      message?.tool_calls?.map((item) => [item.id, item.type === 'function' && item.function.arguments]),
      [
        ['call_rig_1', '{"path":"a"}'],
        ['call_rig_2', '{"path":"b"}'],
      ],
    );
  });

  it('answers without streaming', async () => {
    rig.script(reply(call('ls', { path: '.' })));
    const completion = await openAiClient(rig).chat.completions.create(hello);
    assert.equal(completion.choices[0]?.finish_reason, 'tool_calls');
    assert.equal(completion.choices[0]?.message.content, null);
    assert.equal(completion.usage?.total_tokens, (completion.usage?.prompt_tokens ?? 0) + 4);
  });

  it('lists its models', async () => {
    const ids: string[] = [];
    for await (const model of openAiClient(rig).models.list()) ids.push(model.id);
    assert.ok(ids.includes(openAiModel) && !ids.some((id) => id.startsWith('claude')));
  });

  it('refuses another key with a 401 and an unknown model with a 404', async () => {
    await assert.rejects(openAiClient(rig, 'sk-other').chat.completions.create(hello), OpenAI.AuthenticationError);
    assert.equal(rig.requests[0]?.headers.authorization, 'Bearer sk-o...');
    const attempt = openAiClient(rig).chat.completions.create({ ...hello, model: 'none' });
    await assert.rejects(attempt, (error) => error instanceof OpenAI.NotFoundError && error.code === 'model_not_found');
  });

  it('accepts another key once it was set, as when a user rotates it', async () => {
    rig.script(() => reply(say('ok')));
    rig.settings.apiKey = 'sk-new';
    await openAiClient(rig, 'sk-new').chat.completions.create(hello);
    await assert.rejects(openAiClient(rig).chat.completions.create(hello), OpenAI.AuthenticationError);
  });

  it('streams reasoning beside the content', async () => {
    rig.script(reply(think('hm'), say('x')));
    assert.ok(JSON.stringify(await chunksOf(rig)).includes('"reasoning_content":"hm"'));
  });

  it('A5: leaves the index out', async () => {
    rig.script(reply(call('a', {}, { index: 'missing' }), call('b', {}, { index: 'missing' })));
    assert.ok(callDeltas(await chunksOf(rig)).every((delta) => !('index' in delta)));
  });

  it('A5: gives two calls the same index', async () => {
    rig.script(reply(call('a', {}, { index: 0 }), call('b', {}, { index: 0 })));
    const deltas = callDeltas(await chunksOf(rig));
    assert.deepEqual([...new Set(deltas.map((delta) => delta.index))], [0]);
    assert.deepEqual(
      deltas.flatMap((delta) => (delta.id ? [delta.id] : [])),
      ['call_rig_1', 'call_rig_2'],
    );
  });

  it('A5: gives two calls the same id, or an empty one', async () => {
    rig.script(reply(call('a', {}, { id: 'same' }), call('b', {}, { id: 'same' }), call('c', {}, { id: '' })));
    const ids = callDeltas(await chunksOf(rig)).flatMap((delta) => ('id' in delta ? [delta.id] : []));
    assert.deepEqual(ids, ['same', 'same', '']);
  });

  it('A5: sends the id on the first fragment only, or on every one', async () => {
    const fragments = ['{', '}'];
    rig.script(reply(call('a', {}, { fragments }), call('b', {}, { fragments, idOn: 'every' })));
    const ids = callDeltas(await chunksOf(rig)).map((delta) => delta.id);
    assert.deepEqual(ids, ['call_rig_1', undefined, undefined, 'call_rig_2', 'call_rig_2', 'call_rig_2']);
  });

  it('A5: alternates the fragments of two calls', async () => {
    rig.script(
      reply(call('a', {}, { fragments: ['{"x":', '1}'] }), call('b', {}, { fragments: ['{"y":', '2}'] }), {
        interleave: true,
      }),
    );
    const indexes = callDeltas(await chunksOf(rig)).map((delta) => delta.index);
    assert.deepEqual(indexes, [0, 1, 0, 1, 0, 1]);
  });

  it('A5: sends the name after the arguments', async () => {
    rig.script(reply(call('late', { a: 1 }, { nameOn: 'last' })));
    const functions = callDeltas(await chunksOf(rig)).map((delta) => JSON.stringify(delta.function));
    assert.deepEqual(functions, ['{"arguments":""}', '{"arguments":"{\\"a\\":1}"}', '{"name":"late"}']);
  });

  it('A5: reports usage absent, all zero, or in the chunk that finishes', async () => {
    rig.script(
      reply(say('x'), { usage: 'absent' }),
      reply(say('x'), { usage: 'zero' }),
      reply(say('x'), { usage: 'with_finish' }),
    );
    const absent = await chunksOf(rig);
    assert.ok(absent.every((chunk) => !chunk.usage));
    const zero = await chunksOf(rig);
    assert.equal(zero.at(-1)?.usage?.total_tokens, 0);
    const withFinish = await chunksOf(rig);
    assert.equal(withFinish.at(-1)?.choices[0]?.finish_reason, 'stop');
    assert.equal(withFinish.at(-1)?.usage?.prompt_tokens, 2);
  });

  it('reports scripted usage with the cached part inside the prompt', async () => {
    rig.script(reply(say('x'), { usage: { input: 10_400, cacheRead: 90_000, output: 1000 } }));
    const usage = (await chunksOf(rig)).at(-1)?.usage;
    assert.equal(usage?.prompt_tokens, 100_400);
    assert.equal(usage?.prompt_tokens_details?.cached_tokens, 90_000);
  });
});
