// The usage-driven trigger, through the real agent: figures are what the server reports, not what we estimate.
import assert from 'node:assert/strict';
import type { Agent } from './agentHarness.ts';
import { keeper, StatefulBench, WINDOW } from './statefulBench.ts';

/** Percent of the window, in tokens. */
const percent = (share: number) => (WINDOW * share) / 100;

describe('when a provider that owns the transcript is compacted', () => {
  let bench: StatefulBench;

  beforeEach(async () => {
    bench = await StatefulBench.make();
  });

  afterEach(async () => {
    await bench.close();
  });

  const triggers = (agent: Agent) => agent.of('compaction_started').map(({ trigger }) => trigger);

  /** A turn whose answer reports so many tokens. */
  async function report(agent: Agent, tokens: number, text = 'more'): Promise<void> {
    bench.server.script({ tokens });
    await agent.turn(text);
  }

  /** Talks, reports 71% and lets the next turn compact; its first report is `first`. */
  async function compactedWith(agent: Agent, first: number): Promise<void> {
    await bench.talk(agent, 5, percent(40));
    await report(agent, percent(71));
    bench.server.script({ text: 'The summary.' }, { tokens: first });
    await agent.turn('compacts first');
    assert.deepEqual(triggers(agent), ['soft']);
    assert.equal(agent.of('compaction_finished').at(-1)?.result.applied, true);
  }

  it('reported usage decides, not the estimate: from 70% on, at the next call', async () => {
    const agent = await bench.start();
    await bench.talk(agent, 5, percent(69.999));
    assert.deepEqual(triggers(agent), []);
    await report(agent, percent(70));
    assert.deepEqual(triggers(agent), [], 'a run that ends has no further decision');
    bench.server.script({ text: 'The summary.' });
    await agent.turn('next run');
    assert.deepEqual(triggers(agent), ['soft'], 'the last usage was carried into the next run');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
  });

  it('an estimate over the threshold does not compact while the provider reports less', async () => {
    const agent = await bench.start({ softThreshold: () => 12_000 });
    await bench.talk(agent, 5, 11_999);
    assert.ok((agent.of('meter').findLast(({ meter }) => meter.source === 'estimated')?.meter.tokens ?? 0) > 12_000);
    assert.deepEqual(triggers(agent), []);
  });

  it('within a run as well: the call after the report waits for the compaction', async () => {
    const agent = await bench.start();
    await bench.talk(agent, 5, percent(40));
    bench.server.script(
      { calls: [{ name: 'read', input: { path: 'a.ts' } }], tokens: percent(75) },
      { text: 'The summary.' },
      { tokens: percent(20) },
    );
    await agent.turn('works');
    assert.deepEqual(triggers(agent), ['soft']);
    assert.deepEqual(bench.turnsSince(5), ['turn+', 'summary+', 'turn']);
  });

  it('a reload keeps no usage: it is held in memory only', async () => {
    let agent = await bench.start();
    await bench.talk(agent, 3, percent(40));
    await report(agent, percent(80));
    assert.equal(agent.state.parentUsage?.promptTokens, percent(80));
    agent = await bench.reload(agent);
    assert.equal(agent.state.parentUsage, undefined);
    await report(agent, percent(20));
    assert.deepEqual(triggers(agent), []);
  });

  it('another model drops the usage, and so does another window', async () => {
    let window = WINDOW;
    const capabilities = () => ({ ...bench.provider.capabilities(), contextWindow: window });
    const agent = await bench.start({ provider: () => ({ provider: bench.provider, capabilities: capabilities() }) });
    await report(agent, percent(80));
    await agent.driver.selectModel({ ...keeper, model: 'keeps-them-too' });
    await report(agent, percent(81));
    assert.deepEqual(triggers(agent), []);
    assert.deepEqual(agent.state.parentUsage?.model.model, 'keeps-them-too');
    window = WINDOW - 1;
    await report(agent, percent(20));
    assert.deepEqual(triggers(agent), []);
    assert.equal(agent.state.parentUsage?.contextWindow, WINDOW - 1);
  });

  it('the first usage after a compaction arms the floor, and the trigger waits for 10% more', async () => {
    const agent = await bench.start();
    await compactedWith(agent, percent(74));
    assert.equal(agent.state.parentUsage?.floor, percent(74));
    await report(agent, percent(83.999));
    await report(agent, percent(84));
    assert.deepEqual(triggers(agent), ['soft']);
    bench.server.script({ text: 'Another summary.' }, { tokens: percent(30) });
    await agent.turn('compacts again');
    assert.deepEqual(triggers(agent), ['soft', 'soft']);
    assert.equal(agent.state.parentUsage?.floor, undefined, 'the transcript is short again');
  });

  it('a floor near the cap waits for 90% at most', async () => {
    const agent = await bench.start();
    await compactedWith(agent, percent(88));
    await report(agent, percent(89.999));
    assert.deepEqual(triggers(agent), ['soft']);
    await report(agent, percent(90));
    bench.server.script({ text: 'Another summary.' });
    await agent.turn('next run');
    assert.deepEqual(triggers(agent), ['soft', 'soft']);
  });

  it('a manual compaction arms the floor too', async () => {
    const agent = await bench.start();
    await bench.talk(agent, 5, percent(40));
    bench.server.script({ text: 'The summary.' });
    await agent.compact();
    assert.deepEqual(agent.state.parentUsage, { model: keeper, contextWindow: WINDOW, armsFloor: true });
    await report(agent, percent(72));
    assert.equal(agent.state.parentUsage?.floor, percent(72));
  });

  describe('at 90% of the window', () => {
    const readCall = [{ name: 'read', input: { path: 'a.ts' } }];

    async function stopped(): Promise<Agent> {
      const agent = await bench.start();
      await bench.talk(agent, 5, percent(40));
      bench.server.script({ calls: readCall, tokens: percent(90) });
      await agent.turn('works');
      return agent;
    }

    it('the run is marked, and its next decision stops it without a compaction or a call', async () => {
      const agent = await stopped();
      assert.deepEqual(bench.turnsSince(5), ['turn+']);
      assert.deepEqual(triggers(agent), []);
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'failed');
      const [notice] = agent.of('notice');
      assert.match(notice?.message ?? '', /takes 90,000 of the 100,000 tokens that keeps-transcripts holds/);
      assert.match(notice?.advice ?? '', /have the conversation compacted/);
      const results = agent.state.lineage.messages.filter(({ role }) => role === 'tool');
      assert.equal(results.length, 1, 'the call is answered all the same');
    });

    it('the stop is a critical health event', async () => {
      const agent = await stopped();
      const [health] = agent.of('session_health');
      assert.deepEqual([health?.severity, health?.sessionState], ['critical', 'likely_lossy']);
      assert.match(health?.guidance ?? '', /new session/);
    });

    it('below it nothing is stopped: the run is compacted', async () => {
      const agent = await bench.start();
      await bench.talk(agent, 5, percent(40));
      bench.server.script(
        { calls: readCall, tokens: percent(89.999) },
        { text: 'The summary.' },
        { tokens: percent(20) },
      );
      await agent.turn('works');
      assert.deepEqual(triggers(agent), ['soft']);
      assert.deepEqual(
        agent.of('session_health').map(({ severity }) => severity),
        ['info'],
      );
    });

    it('a run that is done has nothing to stop', async () => {
      const agent = await bench.start();
      await report(agent, percent(95));
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
      assert.deepEqual(agent.of('session_health'), []);
    });

    it('the way out: the next run is not marked and compacts before its first call', async () => {
      const agent = await stopped();
      bench.server.script({ text: 'The summary.' }, { tokens: percent(20) });
      await agent.turn('go on');
      assert.deepEqual(triggers(agent), ['soft']);
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    });

    it('a compaction that the user asked for meanwhile takes the mark off', async () => {
      const agent = await bench.start();
      await bench.talk(agent, 5, percent(40));
      agent.onEvent = ({ type }) => {
        if (type === 'tool_finished') agent.driver.compact();
      };
      bench.server.script({ calls: readCall, tokens: percent(92) }, { text: 'Summary.' }, { tokens: percent(20) });
      await agent.turn('works');
      assert.deepEqual(triggers(agent), ['manual']);
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    });
  });
});
