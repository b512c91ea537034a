import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/agent/events.ts';
import { callModel } from '../../../src/core/agent/modelCall.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { AnthropicProvider } from '../../../src/core/providers/anthropic/provider.ts';
import { ProviderError } from '../../../src/core/providers/provider.ts';
import { FakeClock } from '../../rig/clock.ts';
import { pause, reply, say, status } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { rigKey } from '../../rig/settings.ts';

const request: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: [{ source: 'preamble', text: 'You help.' }],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  maxOutputTokens: 1_000,
  breakpoints: [],
  cacheKey: 'key',
};

describe('one model call', () => {
  let rig: Rig;
  let clock: FakeClock;
  let events: AgentEvent[];

  beforeEach(async () => {
    rig = await startRig();
    clock = new FakeClock();
    events = [];
  });
  afterEach(() => rig.close());

  function call(signal = new AbortController().signal) {
    let ids = 0;
    const provider = new AnthropicProvider({
      apiKey: rigKey,
      baseUrl: rig.baseUrlAnthropic,
      ids: (prefix) => `${prefix}_${++ids}`,
    });
    const deps = { clock, random: () => 0, emit: (event: AgentEvent) => void events.push(event) };
    return callModel(provider, request, 'answer_1', signal, deps);
  }

  /** Wakes every wait as soon as it begins and returns how long each was, ms. */
  async function passWaits(until: Promise<unknown>): Promise<number[]> {
    const waits: number[] = [];
    let done = false;
    void until
      .catch(() => undefined)
      .finally(() => {
        done = true;
      });
    while (!done) {
      const waiting = events.findLast((event) => event.type === 'retry_waiting');
      if (clock.sleeping > 0 && waiting?.type === 'retry_waiting') {
        const rest = waiting.untilMs - clock.now();
        waits.push(rest);
        clock.advance(rest - 1);
        assert.equal(clock.sleeping, 1, 'it must not wake before its time');
        clock.advance(1);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return waits;
  }

  const types = () => events.map((event) => event.type);
  const textShown = () => {
    let text = '';
    for (const event of events) {
      if (event.type === 'assistant_discarded') text = '';
      if (event.type === 'assistant_delta') text += event.text;
    }
    return text;
  };

  it('streams text and returns blocks, stop reason and usage', async () => {
    rig.script(reply(say('Hel', 'lo')));
    const answer = await call();
    assert.deepEqual(answer.blocks, [{ type: 'text', text: 'Hello' }]);
    assert.equal(answer.stopReason, 'end_turn');
    assert.equal(answer.incomplete, false);
    assert.ok((answer.usage?.input ?? 0) > 0);
    assert.equal(textShown(), 'Hello');
  });

  it('A6: waits at least what a 429 names, visibly, then goes on', async () => {
    rig.script(status(429, { retryAfter: 30 }), reply(say('late')));
    const answer = call();
    const waits = await passWaits(answer);
    assert.deepEqual((await answer).blocks, [{ type: 'text', text: 'late' }]);
    assert.equal(waits.length, 1);
    assert.ok((waits[0] ?? 0) >= 30_000);
    assert.ok(types().includes('retry_resumed'));
    assert.equal(rig.requests.length, 2);
  });

  it('A6: three 529 in a row are bounded waits that grow', async () => {
    rig.script(status(529), status(529), status(529), reply(say('here')));
    const answer = call();
    const waits = await passWaits(answer);
    assert.equal((await answer).stopReason, 'end_turn');
    assert.deepEqual(waits, [1_000, 2_000, 4_000]);
  });

  it('A6: attempts are bounded', async () => {
    rig.script(() => status(529));
    const answer = call();
    await passWaits(answer);
    await assert.rejects(answer, (error) => error instanceof ProviderError && error.kind === 'overloaded');
    assert.equal(rig.requests.length, 6);
  });

  for (const nth of [1, 3]) {
    it(`A6: an overload inside the stream (before delta ${nth}) shows nothing twice`, async () => {
      rig.script(
        reply(say('a'.repeat(100), 'b'.repeat(100), 'c'), {
          fault: { action: 'overloaded', at: 'content_block_delta', nth },
        }),
        reply(say('whole answer')),
      );
      const answer = call();
      await passWaits(answer);
      assert.deepEqual((await answer).blocks, [{ type: 'text', text: 'whole answer' }]);
      assert.equal(textShown(), 'whole answer');
    });
  }

  it('A4: a reset in the stream is repeated once, and only once', async () => {
    rig.script(() =>
      reply(say('one ', 'two ', 'three'), { fault: { action: 'reset', at: 'content_block_delta', nth: 2 } }),
    );
    const answer = call();
    await passWaits(answer);
    await assert.rejects(answer, (error) => error instanceof ProviderError && error.kind === 'cut');
    assert.equal(rig.requests.length, 2);
    assert.equal(textShown(), '');
  });

  it('A6: Stop during the wait ends at once', async () => {
    rig.script(status(429, { retryAfter: 300 }));
    const stop = new AbortController();
    const answer = call(stop.signal);
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stop'));
    const { blocks, incomplete } = await answer;
    assert.deepEqual(blocks, []);
    assert.equal(incomplete, true);
    assert.equal(rig.requests.length, 1);
  });

  for (const code of [400, 401]) {
    it(`A6: ${code} is not repeated`, async () => {
      rig.script(status(code));
      await assert.rejects(call(), ProviderError);
      assert.equal(rig.requests.length, 1);
    });
  }

  it('A4: Stop in mid-stream keeps the text that had arrived, exactly', async () => {
    rig.script(reply(say('kept \n'), pause(5_000), say('never')));
    const stop = new AbortController();
    const answer = call(stop.signal);
    while (!types().includes('assistant_delta')) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('stop'));
    const { blocks, incomplete, stopReason } = await answer;
    assert.deepEqual(blocks, [{ type: 'text', text: 'kept \n' }]);
    assert.equal(incomplete, true);
    assert.equal(stopReason, 'stopped');
  });
});
