import assert from 'node:assert/strict';
import { openAiClient, openAiModel, postChat } from './clients.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

const text = (tokens: number, letter = 'x') => letter.repeat(tokens * 4);
const system = (tokens: number, letter = 's') => ({ role: 'system', content: text(tokens, letter) });
const user = (tokens: number, letter = 'u') => ({ role: 'user', content: text(tokens, letter) });

describe('R7: OpenAI-like cache', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  async function cached(messages: unknown[], more = {}): Promise<number | undefined> {
    const answer = await postChat(rig, messages, more);
    assert.equal(answer.error, '');
    return rig.requests.at(-1)?.usage?.cacheRead;
  }

  it('reads the common prefix in steps of 128 tokens', async () => {
    assert.equal(await cached([system(1500), user(100, 'a')]), 0);
    assert.equal(await cached([system(1500), user(100, 'b')]), 1408);
    assert.equal(await cached([system(1500), user(100, 'a'), { role: 'assistant', content: text(10) }, user(5)]), 1536);
  });

  it('reports it inside prompt_tokens', async () => {
    const request = { model: openAiModel, messages: [{ role: 'user' as const, content: text(2048) }] };
    const client = openAiClient(rig);
    await client.chat.completions.create(request);
    const { usage } = await client.chat.completions.create(request);
    assert.equal(usage?.prompt_tokens, 2048);
    assert.equal(usage?.prompt_tokens_details?.cached_tokens, 2048);
  });

  it('reads nothing below 1024 tokens', async () => {
    await cached([system(1000)]);
    assert.equal(await cached([system(1000), user(500)]), 0);
    await cached([system(1024, 't')]);
    assert.equal(await cached([system(1024, 't'), user(500)]), 1024);
  });

  it('counts equal bytes inside a message', async () => {
    await cached([{ role: 'user', content: `${text(2000, 'a')}${text(100, 'b')}` }]);
    const read = await cached([{ role: 'user', content: `${text(2000, 'a')}${text(100, 'c')}` }]);
    assert.ok(read !== undefined && read >= 1920 && read <= 2048, String(read));
  });

  it('mutation: a changed tool or first byte reads nothing', async () => {
    const tools = (name: string) => ({ tools: [{ type: 'function', function: { name, parameters: {} } }] });
    await cached([system(1500)], tools('ls'));
    assert.equal(await cached([system(1500)], tools('ls')), 1408);
    assert.equal(await cached([system(1500)], tools('rm')), 0);
    assert.equal(await cached([{ role: 'system', content: `X${text(1500, 's')}` }], tools('ls')), 0);
  });

  it('mutation: after five minutes it is gone, reading refreshes it', async () => {
    await cached([system(1500)]);
    rig.clock.advance(4 * 60_000);
    assert.equal(await cached([system(1500), user(1)]), 1408);
    rig.clock.advance(4 * 60_000);
    assert.equal(await cached([system(1500), user(2, 'v')]), 1408);
    rig.clock.advance(5 * 60_000);
    assert.equal(await cached([system(1500)]), 0);
  });

  it('does not share between models', async () => {
    await cached([system(1500)]);
    assert.equal(await cached([system(1500)], { model: 'gpt-6-mini' }), 0);
  });
});
