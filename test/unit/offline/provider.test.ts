import assert from 'node:assert/strict';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { OfflineProvider } from '../../../src/core/providers/offline/provider.ts';
import type { StreamEvent } from '../../../src/core/providers/provider.ts';
import { estimateRequest } from '../../../src/core/tokens/estimate.ts';
import { Conversation } from './conversation.ts';
import { MemoryWorkspace } from './memoryTools.ts';

const MINUTE = 60_000;
const place = () => new MemoryWorkspace({ 'README.md': '# Demo\n', 'src/a.ts': 'export const answer = 42;\n' });

describe('the built-in model as a provider', () => {
  it('needs nothing, offers one model with a window of 32,768 tokens', async () => {
    const { provider } = new Conversation();
    assert.deepEqual(await provider.listModels(), ['offline']);
    const { contextWindow, assumed } = provider.capabilities('offline');
    assert.deepEqual([contextWindow, assumed], [32_768, false]);
  });

  it('streams word by word in under a second, and the same conversation gives the same answer', async () => {
    const talk = new Conversation();
    talk.messages.push({ role: 'user', content: [{ type: 'text', text: 'hello' }] });
    const runs: StreamEvent[][] = [];
    const started = talk.clock.now();
    for (let run = 0; run < 2; run++) {
      const events: StreamEvent[] = [];
      for await (const event of talk.provider.stream(talk.request(), new AbortController().signal)) events.push(event);
      runs.push(events.filter(({ type }) => type !== 'usage'));
    }
    assert.ok((talk.clock.now() - started) / 2 < 1_000);
    assert.deepEqual(runs[0], runs[1]);
    assert.ok((runs[0]?.filter(({ type }) => type === 'text_delta').length ?? 0) > 20);
  });

  it('stops at once with the reason of the abort', async () => {
    const provider = new OfflineProvider({ clock: systemClock, ids: (prefix) => prefix });
    const talk = new Conversation();
    talk.messages.push({ role: 'user', content: [{ type: 'text', text: 'hello' }] });
    const abort = new AbortController();
    let pieces = 0;
    let stoppedAt = 0;
    const streaming = (async () => {
      for await (const event of provider.stream(talk.request(), abort.signal)) {
        if (event.type === 'text_delta') pieces += 1;
        if (pieces === 3) {
          abort.abort(new Error('stopped here'));
          stoppedAt = performance.now();
        }
      }
    })();
    await assert.rejects(streaming, /stopped here/);
    assert.equal(pieces, 3);
    assert.ok(performance.now() - stoppedAt < 50);
    await assert.rejects(async () => {
      for await (const event of provider.stream(talk.request(), abort.signal)) assert.fail(`an event: ${event.type}`);
    }, /stopped here/);
  });

  it('reports usage that agrees with our estimate, and reads its cache while it is warm', async () => {
    const talk = new Conversation(place().run);
    await talk.ask('What is this project?');
    const [first, second, third] = talk.usages;
    assert.ok(first && second && third);
    assert.equal(first.cacheRead, 0);
    assert.deepEqual([second.cacheRead, third.cacheRead], [first.input - 8, second.input - 8]);
    for (const { input, cacheRead = 0, cacheWrite = 0, output } of talk.usages) {
      assert.equal(cacheRead + cacheWrite, input);
      assert.ok(output > 0);
    }
    const next = structuredClone(talk.messages);
    next.push({ role: 'user', content: [{ type: 'text', text: 'thanks' }] });
    const { rawTokens } = estimateRequest(talk.request(next), { provider: 'offline', model: 'offline' });
    await talk.call(next);
    assert.equal(talk.usages.at(-1)?.input, rawTokens);
  });

  it('forgets its cache after five minutes, and from the first byte that changed', async () => {
    const talk = new Conversation(place().run);
    await talk.ask('hello');
    talk.clock.ms += 5 * MINUTE + 1;
    await talk.ask('hello');
    assert.equal(talk.usages.at(-1)?.cacheRead, 0);
    talk.clock.ms += 4 * MINUTE;
    talk.system = [{ source: 'preamble', text: 'You are somebody else.' }];
    await talk.ask('hello');
    const ref = { provider: 'offline', model: 'offline' } as const;
    const { parts } = estimateRequest(talk.request(), ref);
    assert.equal(
      talk.usages.at(-1)?.cacheRead,
      parts.tools.reduce((total, tokens) => total + tokens, 0),
    );
  });

  it('refuses a prompt that does not fit, as a server would', async () => {
    const talk = new Conversation();
    await assert.rejects(talk.ask('long story '.repeat(20_000)), { name: 'ProviderError', kind: 'too_long' });
  });
});
