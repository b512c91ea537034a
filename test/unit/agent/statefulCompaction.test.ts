// Compaction of a transcript that the provider owns: the summary is asked of the live transcript, which is used up by it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Compactor, type FallbackChoice } from '../../../src/core/agent/compactor.ts';
import { isBackendStateRetired, markBackendStateRetired } from '../../../src/core/providers/backendStateRetirement.ts';
import { estimateRequest } from '../../../src/core/tokens/estimate.ts';
import { pause, reply, say, status } from '../../rig/script.ts';
import { TranscriptServer } from '../../rig/transcriptServer.ts';
import { until } from '../../rig/until.ts';
import type { Agent } from './agentHarness.ts';
import { keeper, StatefulBench, WINDOW } from './statefulBench.ts';
import { type Telling, TranscriptProvider } from './transcriptProvider.ts';

describe('compaction with a provider that owns the transcript', () => {
  let bench: StatefulBench;

  beforeEach(async () => {
    bench = await StatefulBench.make();
  });

  afterEach(async () => {
    await bench.close();
  });

  const lastResult = (agent: Agent) => agent.of('compaction_finished').at(-1)?.result;
  const states = (agent: Agent) => [agent.state.backendState(keeper) !== undefined, agent.state.lineage.active.id];

  /** The agent's own compactor on its own state, so that the error can be looked at. */
  function compactorOf(agent: Agent, fallback?: () => FallbackChoice): Compactor {
    return new Compactor({
      state: agent.state,
      clock: bench.rig.clock,
      ids: (prefix) => `${prefix}_x`,
      emit: (event) => agent.events.push(event),
      random: () => 0,
      access: async (ref) => ({
        ref,
        provider: bench.provider,
        capabilities: bench.provider.capabilities(),
        thinkingBudget: 0,
      }),
      estimateRaw: (request, ref) => estimateRequest(request, ref).rawTokens,
      softThreshold: (window) => window * 0.7,
      archive: agent.stored.history,
      policy: () => 'fixed',
      readText: async () => undefined,
      ...(fallback ? { fallback } : {}),
    });
  }

  async function failureOf(compaction: Promise<unknown>): Promise<Error> {
    try {
      await compaction;
    } catch (error) {
      assert.ok(error instanceof Error);
      return error;
    }
    throw new Error('it did not fail');
  }

  const run = (compactor: Compactor, signal = new AbortController().signal) =>
    compactor.run({ trigger: 'manual' }, keeper, signal);

  it('a main summary request carries the state of the latest generation, and is a turn of its own', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    bench.server.script({ text: 'The summary.' });
    await agent.compact('the parser');
    const asked = bench.server.turns.at(-1);
    assert.deepEqual(asked?.transcript, { id: 'transcript-1', revision: 5 });
    assert.equal(asked?.kind, 'summary');
    assert.equal(asked?.blocks.length, 1, 'the instruction alone');
    assert.match(JSON.stringify(asked?.blocks), /1\. Task and goal.*the parser/s);
    assert.equal(agent.state.lineage.active.summary?.split('\n')[0], 'The summary.');
    await agent.turn('go on');
    assert.deepEqual(bench.turnsSince(5), ['summary+', 'turn']);
    assert.doesNotMatch(JSON.stringify(bench.server.turns.at(-1)?.blocks), /Task and goal/);
  });

  it('an applied summary has retired the transcript, and says so; the next request is whole', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    await agent.compact();
    const result = lastResult(agent);
    assert.deepEqual([result?.applied, result?.backendStateCleared], [true, true]);
    assert.equal(bench.server.open, 0);
    await agent.turn('one');
    await agent.turn('two');
    assert.deepEqual(bench.turnsSince(6), ['turn', 'turn+']);
  });

  it('a summary that left the transcript alone clears nothing; the new generation has no state all the same', async () => {
    bench.server.keepsAfterSummary = true;
    const agent = await bench.start();
    await bench.talk(agent);
    await agent.compact();
    assert.deepEqual([lastResult(agent)?.applied, lastResult(agent)?.backendStateCleared], [true, undefined]);
    assert.deepEqual(states(agent), [false, 2]);
    await agent.turn('go on');
    assert.deepEqual(bench.turnsSince(6), ['turn']);
  });

  it('a retirement is recorded when nothing was applied, and drops the state only', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    bench.server.script({ text: '' }, { text: '' }, { text: '' }, { text: '' });
    await agent.compact();
    assert.deepEqual([lastResult(agent)?.applied, lastResult(agent)?.backendStateCleared], [false, true]);
    assert.deepEqual(states(agent), [false, 1]);
    assert.equal(existsSync(agent.stored.history.path), false);
    // The second attempt and the emergency stage go without the state: the transcript is gone.
    assert.deepEqual(bench.turnsSince(5), ['summary+', 'summary', 'summary', 'summary']);
    await agent.turn('go on');
    assert.deepEqual(bench.turnsSince(9), ['turn']);
    assert.match(JSON.stringify(bench.server.turns.at(-1)?.blocks), /question 1.*question 5.*go on/s);
  });

  it('nothing is said of a retirement when none was told of', async () => {
    bench.server.keepsAfterSummary = true;
    const agent = await bench.start();
    await bench.talk(agent);
    bench.server.script({ text: '' }, { text: '' }, { text: '' }, { text: '' });
    await agent.compact();
    assert.deepEqual(lastResult(agent), { applied: false, reason: 'the model gave no summary' });
    assert.deepEqual(states(agent), [true, 1]);
    await agent.turn('go on');
    assert.deepEqual(bench.turnsSince(5), ['summary+', 'summary+', 'summary+', 'summary+', 'turn+']);
  });

  for (const telling of ['observer', 'mark'] as const) {
    it(`a lost last chunk still reports the retirement, by ${telling}; the retry goes without the state`, async () => {
      bench.provider.telling = telling;
      const agent = await bench.start();
      await bench.talk(agent);
      bench.server.script({ text: 'Half of it', fault: 'no end' }, { text: 'The summary.' });
      agent.driver.compact();
      await bench.idle(agent);
      assert.deepEqual([lastResult(agent)?.applied, lastResult(agent)?.backendStateCleared], [true, true]);
      assert.deepEqual(bench.turnsSince(5), ['summary+ broken', 'summary']);
      assert.equal(agent.state.lineage.active.summary?.split('\n')[0], 'The summary.');
    });

    it(`an error after a clear keeps its text and is marked; told by ${telling}`, async () => {
      bench.provider.telling = telling;
      const agent = await bench.start();
      await bench.talk(agent);
      bench.server.script({ fault: 'no end' }, { fault: 'refuse' });
      const compaction = failureOf(run(compactorOf(agent)));
      await until(() => agent.of('retry_waiting').length === 1, 'it waits for the second attempt');
      bench.rig.clock.advance(2_000);
      const error = await compaction;
      assert.equal(error.message, 'refused by the script');
      assert.ok(isBackendStateRetired(error));
      assert.deepEqual(lastResult(agent), {
        applied: false,
        reason: 'refused by the script',
        advice: 'Try again.',
        backendStateCleared: true,
      });
      assert.deepEqual(states(agent), [false, 1]);
    });

    it(`a cancelled summary reports the retirement too, by ${telling}: nothing else has changed`, async () => {
      bench.provider.telling = telling;
      let agent = await bench.start();
      await bench.talk(agent);
      bench.server.script({ text: 'Half of it', fault: 'stall' });
      agent.driver.compact();
      await until(() => bench.server.turns.length === 6, 'the summary is asked for');
      await new Promise((resolve) => setTimeout(resolve, 30));
      agent.driver.stop();
      await agent.idle();
      assert.deepEqual(lastResult(agent), { applied: false, reason: 'it was stopped', backendStateCleared: true });
      assert.deepEqual(states(agent), [false, 1]);
      agent = await bench.reload(agent);
      assert.deepEqual(states(agent), [false, 1]);
      await agent.turn('go on');
      assert.deepEqual(bench.turnsSince(6), ['turn']);
    });
  }

  it('an error before anything was cleared is not marked, and the transcript goes on', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    bench.server.script({ fault: 'refuse' });
    const error = await failureOf(run(compactorOf(agent)));
    assert.equal(isBackendStateRetired(error), false);
    assert.deepEqual(states(agent), [true, 1]);
    await agent.turn('go on');
    assert.deepEqual(bench.turnsSince(5), ['summary+ refused', 'turn+']);
  });

  it('a summary of a transcript that was lost is asked with the whole source at once', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    bench.server.forget();
    await agent.compact();
    assert.equal(lastResult(agent)?.applied, true);
    assert.deepEqual(bench.turnsSince(5), ['summary+ gone', 'summary']);
    assert.match(JSON.stringify(bench.server.turns.at(-1)?.blocks), /question 1.*Task and goal/s);
  });

  it('the emergency stage after a normal one asks about a generation that the transcript is not', async () => {
    bench.server.keepsAfterSummary = true;
    let threshold = 70_000;
    const agent = await bench.start({ softThreshold: () => threshold });
    await bench.talk(agent, 10);
    threshold = 20_000;
    bench.server.script({ text: `Long ${'summary '.repeat(6_000)}` }, { text: 'Short.' });
    await agent.compact();
    const result = lastResult(agent);
    assert.ok(result?.applied && result.stageCount === 2);
    assert.deepEqual(bench.turnsSince(10), ['summary+', 'summary']);
  });

  it('usage of a summary in place is no sample for the calibration: its prompt was the transcript', async () => {
    const agent = await bench.start();
    await bench.talk(agent);
    const before = agent.state.calibration.samples(keeper);
    await agent.compact();
    assert.equal(agent.state.calibration.samples(keeper), before);
  });

  it('another model that is chosen before /compact is not handed the state', async () => {
    const agent = await bench.start({
      provider: () => ({ provider: bench.provider, capabilities: bench.provider.capabilities() }),
    });
    await bench.talk(agent, 8);
    await agent.driver.selectModel({ ...keeper, model: 'another' });
    await agent.compact();
    assert.deepEqual(bench.turnsSince(8), ['summary']);
    assert.equal(lastResult(agent)?.backendStateCleared, undefined);
  });

  describe('with a fallback model', () => {
    const fallback = { model: 'anthropic/claude-haiku-5-5', idleMinutes: 5 };

    async function cold(options: Parameters<StatefulBench['start']>[0] = {}): Promise<Agent> {
      const agent = await bench.start({ fallback, ...options });
      await bench.talk(agent);
      bench.rig.clock.advance(6 * 60_000);
      return agent;
    }

    it('the copy for it carries no state, and main’s transcript is not touched', async () => {
      const agent = await cold();
      bench.rig.script(reply(say('By the fallback.')));
      await agent.compact();
      const result = lastResult(agent);
      assert.equal(result?.fallback?.fallbackStatus, 'used');
      assert.equal(result?.backendStateCleared, undefined);
      assert.doesNotMatch(JSON.stringify(bench.rig.requests.map(({ body }) => body)), /transcript-1/);
      assert.equal(bench.server.turns.length, 5);
      await agent.turn('go on');
      assert.deepEqual(bench.turnsSince(5), ['turn'], 'the new generation has no state');
    });

    it('a fallback that fails leaves the state for main’s summary', async () => {
      const agent = await cold();
      bench.rig.script(status(400));
      await agent.compact();
      assert.equal(lastResult(agent)?.fallback?.fallbackStatus, 'skipped');
      assert.deepEqual(bench.turnsSince(5), ['summary+']);
      assert.equal(lastResult(agent)?.backendStateCleared, true);
    });

    it('a fallback that is cancelled leaves main’s state', async () => {
      const agent = await cold();
      bench.rig.script(reply(say('half'), pause(10_000), say('never')));
      agent.driver.compact();
      await until(() => bench.rig.requests.length === 1, 'the fallback is asked');
      agent.driver.stop();
      await agent.idle();
      assert.deepEqual(lastResult(agent), { applied: false, reason: 'it was stopped' });
      await agent.turn('go on');
      assert.deepEqual(bench.turnsSince(5), ['turn+']);
    });

    for (const telling of ['observer', 'mark'] as const satisfies Telling[]) {
      it(`its own retirements are discarded and hidden, also when a cancellation returns its error; told by ${telling}`, async () => {
        const agent = await cold();
        const others = await TranscriptServer.start();
        const stateful = new RetiringProvider(others.url, WINDOW);
        stateful.telling = telling;
        const choice = (): FallbackChoice => ({
          after: 1,
          resolve: async () => ({
            ref: { ...keeper, model: 'fallback' },
            provider: stateful,
            capabilities: stateful.capabilities(),
            thinkingBudget: 0,
          }),
        });
        others.script({ text: 'half', fault: 'stall' });
        const abort = new AbortController();
        const compaction = failureOf(run(compactorOf(agent, choice), abort.signal));
        await until(() => others.turns.length === 1, 'the fallback is asked');
        await new Promise((resolve) => setTimeout(resolve, 30));
        abort.abort(new Error('stopped'));
        const error = await compaction;
        assert.equal(stateful.told, 1, 'it told of a retirement');
        assert.equal(error.message, 'stopped');
        assert.equal(isBackendStateRetired(error), false);
        assert.deepEqual(lastResult(agent), { applied: false, reason: 'it was stopped' });
        assert.deepEqual(states(agent), [true, 1]);
        await others.close();
        await agent.turn('go on');
        assert.deepEqual(bench.turnsSince(5), ['turn+']);
      });
    }
  });
});

/** Tells of a retirement whatever it was asked. */
class RetiringProvider extends TranscriptProvider {
  told = 0;

  override async *stream(...[request, signal, observer]: Parameters<TranscriptProvider['stream']>) {
    assert.equal(request.backendState, undefined);
    try {
      yield* super.stream(request, signal);
    } finally {
      this.told += 1;
      if (this.telling === 'observer') observer?.backendStateRetired();
      else markBackendStateRetired(signal.reason);
    }
  }
}
