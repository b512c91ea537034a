// Compaction on a fallback model, from the driver to two models behind real HTTP.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { call, pause, reply, say, status, think } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { until } from '../../rig/until.ts';
import { Agent, sonnet, TestFolders } from './agentHarness.ts';

const MINUTE = 60_000;
const mini = { provider: 'openai' as const, model: 'gpt-6-mini' };
const haiku = { provider: 'anthropic' as const, model: 'claude-haiku-5-5' };

describe('compaction on a fallback model, against the rig', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agents: Agent[];

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    agents = [];
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await folders.write('a.ts', 'export const a = 1;\n');
  });

  afterEach(async () => {
    for (const agent of agents) await agent.close().catch(() => undefined);
    await rig.close();
    await folders.remove();
  });

  async function start(options: Partial<Parameters<typeof Agent.start>[1]> = {}): Promise<Agent> {
    const agent = await Agent.start(folders, {
      rig,
      fallback: { model: 'openai/gpt-6-mini', idleMinutes: 5 },
      ...options,
    });
    agents.push(agent);
    return agent;
  }

  async function reload(agent: Agent): Promise<Agent> {
    const next = await agent.reload();
    agents.push(next);
    return next;
  }

  async function talk(agent: Agent, turns = 5): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      rig.script(reply(say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
  }

  /** Models that were asked, since the request of that number. */
  const askedSince = (count: number) => rig.requests.slice(count).map(({ prompt }) => prompt?.model);
  const lastResult = (agent: Agent) => agent.of('compaction_finished').at(-1)?.result;
  const lastMain = (agent: Agent) => agent.state.lastMainRequest(sonnet, agent.state.id);

  it('with a warm cache main writes the summary', async () => {
    const agent = await start();
    await talk(agent);
    rig.clock.advance(5 * MINUTE);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    assert.deepEqual(askedSince(5), [sonnet.model]);
    assert.equal(lastResult(agent)?.applied, true);
    assert.equal(lastResult(agent)?.fallback, undefined);
    assert.equal(agent.state.lineage.active.receipt?.fallback, undefined);
    assert.deepEqual(rig.violations, []);
  });

  it('with a cold cache the fallback on the other wire writes it, and event and receipt say so', async () => {
    const agent = await start();
    await talk(agent);
    rig.clock.advance(7 * MINUTE);
    rig.script(reply(say('Cheap summary.')), reply(say('still here')));
    await agent.compact();
    assert.deepEqual(askedSince(5), [mini.model]);
    const fallback = {
      fallbackStatus: 'used',
      fallbackReason: 'idle 7m > 5m',
      compactionModel: 'openai/gpt-6-mini',
    };
    assert.deepEqual(lastResult(agent)?.fallback, fallback);
    assert.deepEqual(agent.state.lineage.active.receipt?.fallback, fallback);
    assert.deepEqual(agent.state.lineage.active.receipt?.summaryModel, mini);
    await agent.turn('go on');
    assert.equal(rig.requests.at(-1)?.prompt?.model, sonnet.model);
    assert.match(JSON.stringify(rig.requests.at(-1)?.body), /Cheap summary\./);
    assert.deepEqual(rig.violations, []);
  });

  it('an empty model or 0 minutes switch it off, and a changed setting counts at the next compaction', async () => {
    const fallback = { model: '', idleMinutes: 5 };
    const agent = await start({ fallback });
    for (const change of [{}, { model: 'openai/gpt-6-mini', idleMinutes: 0 }, { idleMinutes: 5 }]) {
      Object.assign(fallback, change);
      await talk(agent);
      rig.clock.advance(6 * MINUTE);
      rig.script(reply(say('Summary.')));
      await agent.compact();
    }
    const summaries = agent.state.lineage.generations.slice(1).map(({ receipt }) => receipt?.summaryModel);
    assert.deepEqual(summaries, [sonnet, sonnet, mini]);
  });

  it('a fallback call carries no marker, thinking, budget or signature of main, but the same words and tools', async () => {
    const agent = await start({
      thinkingBudget: 2_000,
      fallback: { model: 'anthropic/claude-haiku-5-5', idleMinutes: 5 },
    });
    rig.script(
      reply(think('secret thought'), call('read', { path: 'a.ts' })),
      reply(think('more'), say('It exports a.')),
    );
    await agent.turn('What does a.ts export?');
    for (let n = 1; n <= 4; n++) {
      rig.script(reply(think(`thought ${n}`), say(`answer ${n} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${n}`);
    }
    const before = rig.requests.at(-1)?.body as Record<string, unknown>;
    assert.match(JSON.stringify(before), /cache_control.*secret thought/s);
    rig.clock.advance(6 * MINUTE);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    const body = rig.requests.at(-1)?.body as Record<string, unknown>;
    assert.equal(body.model, haiku.model);
    const sent = JSON.stringify(body);
    assert.doesNotMatch(sent, /cache_control|"type":"(redacted_)?thinking"|signature|secret thought/);
    assert.match(sent, /What does a\.ts export\?.*export const a = 1;.*question 1/s);
    const withoutMarkers = (value: unknown) => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
    assert.equal(withoutMarkers(body.tools), withoutMarkers(before.tools));
    assert.equal(withoutMarkers(body.system), withoutMarkers(before.system));
    assert.deepEqual(rig.violations, []);
  });

  it('only successful main calls set LastMainRequest: no summary, no fallback call, no failed or stopped call', async () => {
    const agent = await start();
    assert.equal(lastMain(agent), undefined);
    await talk(agent);
    const main = lastMain(agent);
    assert.deepEqual(main, { at: rig.clock.now(), model: sonnet, cacheKey: agent.state.id });
    rig.clock.advance(MINUTE);
    rig.script(reply(say('Summary on main.')));
    await agent.compact();
    assert.equal(lastResult(agent)?.applied, true);
    assert.deepEqual(lastMain(agent), main);
    await talk(agent);
    const again = lastMain(agent);
    assert.equal(again?.at, rig.clock.now());
    rig.clock.advance(6 * MINUTE);
    rig.script(reply(say('Summary on the fallback.')));
    await agent.compact();
    assert.equal(lastResult(agent)?.fallback?.fallbackStatus, 'used');
    assert.deepEqual(lastMain(agent), again);
    rig.script(status(400));
    await agent.turn('fails');
    assert.deepEqual(lastMain(agent), again);
    rig.script(reply(say('half'), pause(10_000), say('never')));
    agent.driver.send('is stopped');
    await until(() => agent.of('assistant_delta').at(-1)?.text === 'half', 'text streams');
    agent.driver.stop();
    await agent.idle();
    assert.deepEqual(lastMain(agent), again);
    assert.deepEqual(lastMain(await reload(agent)), again);
  });

  it('a reload keeps LastMainRequest: the cache is still warm, and cold by the same clock', async () => {
    let agent = await start();
    await talk(agent);
    rig.clock.advance(4 * MINUTE);
    agent = await reload(agent);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    assert.deepEqual(askedSince(5), [sonnet.model]);
    await talk(agent);
    rig.clock.advance(6 * MINUTE);
    agent = await reload(agent);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    assert.equal(rig.requests.at(-1)?.prompt?.model, mini.model);
    assert.equal(agent.state.lineage.active.receipt?.fallback?.fallbackReason, 'idle 6m > 5m');
  });

  it('another main model has no recent request', async () => {
    const agent = await start();
    await talk(agent);
    await agent.driver.selectModel({ provider: 'anthropic', model: 'claude-opus-5-5' });
    rig.script(reply(say('Summary.')));
    await agent.compact();
    assert.equal(rig.requests.at(-1)?.prompt?.model, mini.model);
    assert.equal(lastResult(agent)?.fallback?.fallbackReason, 'no recent request');
  });

  it('the soft trigger of a turn after a pause uses the fallback, and the turn goes on with main', async () => {
    rig.setCap(32_000);
    const agent = await start({ window: 32_000, softThreshold: () => 12_000 });
    await talk(agent, 2);
    assert.equal(agent.of('compaction_started').length, 0);
    rig.clock.advance(10 * MINUTE);
    rig.script(reply(say('Summary.')), reply(say('done')));
    await agent.turn(`and now ${'filler '.repeat(4_000)}`);
    assert.equal(agent.of('compaction_started')[0]?.trigger, 'soft');
    assert.deepEqual(askedSince(2), [mini.model, sonnet.model]);
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    assert.deepEqual(rig.violations, []);
  });

  describe('when it fails, the whole operation runs again on main', () => {
    let agent: Agent;

    async function coldAgent(options: Partial<Parameters<typeof Agent.start>[1]> = {}): Promise<void> {
      agent = await start(options);
      await talk(agent);
      rig.clock.advance(6 * MINUTE);
    }

    function assertRerun(reason: RegExp): void {
      const result = lastResult(agent);
      assert.equal(result?.applied, true);
      assert.equal(result?.fallback?.fallbackStatus, 'skipped');
      assert.match(result?.fallback?.fallbackReason ?? '', reason);
      const { id, summary, receipt } = agent.state.lineage.active;
      assert.deepEqual([id, summary?.split('\n')[0], receipt?.summaryModel], [2, 'By main.', sonnet]);
      assert.deepEqual(receipt?.fallback, result?.fallback);
      assert.equal(agent.of('notice').length, 0);
    }

    it('on status 400', async () => {
      await coldAgent();
      rig.script(status(400, { message: 'the field xyz is odd' }), reply(say('By main.')));
      await agent.compact();
      assert.deepEqual(askedSince(5), [mini.model, sonnet.model]);
      assertRerun(/^fallback failed: .*the field xyz is odd/);
    });

    it('on status 529, once all attempts are used up', async () => {
      await coldAgent({ fallback: { model: 'anthropic/claude-haiku-5-5', idleMinutes: 5 } });
      rig.script((request) => (request.prompt?.model === haiku.model ? status(529) : reply(say('By main.'))));
      const compaction = agent.compact();
      while (agent.driver.busy) {
        if (rig.clock.sleeping > 0) rig.clock.advance(MINUTE);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await compaction;
      assert.deepEqual(askedSince(5), [...Array.from({ length: 6 }, () => haiku.model), sonnet.model]);
      assert.equal(agent.of('retry_waiting').length, 5, 'the user sees the waits of the fallback too');
      assertRerun(/^fallback failed: .*overloaded.*529/);
    });

    it('when the context is too large for it, without asking it', async () => {
      await coldAgent({ fallback: { model: 'openai/gpt-6-mini', idleMinutes: 5, window: 10_000 } });
      rig.script(reply(say('By main.')));
      await agent.compact();
      assert.deepEqual(askedSince(5), [sonnet.model]);
      assertRerun(/^context too large for openai\/gpt-6-mini$/);
    });

    it('on an empty summary, after it was asked a second time', async () => {
      await coldAgent();
      rig.script(reply(say(' ')), reply(call('read', { path: 'a.ts' })), reply(say('By main.')));
      await agent.compact();
      assert.deepEqual(askedSince(5), [mini.model, mini.model, sonnet.model]);
      assertRerun(/^fallback failed: the model gave no summary$/);
    });

    it('on a model that the server does not know', async () => {
      await coldAgent({ fallback: { model: 'openai/no-such', idleMinutes: 5 } });
      rig.script(reply(say('By main.')));
      await agent.compact();
      assertRerun(/^fallback failed: .*no-such/);
    });

    it('on a setting that names no model', async () => {
      await coldAgent({ fallback: { model: 'gpt-6-mini', idleMinutes: 5 } });
      rig.script(reply(say('By main.')));
      await agent.compact();
      assertRerun(/^fallback failed: the setting steiner\.compaction\.fallback\.model names no model: "gpt-6-mini"$/);
    });

    it('but never after a cancellation: nothing changed, and main was not asked', async () => {
      await coldAgent();
      rig.script(reply(say('half'), pause(10_000), say('never')));
      agent.driver.compact();
      await until(() => rig.requests.length === 6, 'the fallback is asked');
      agent.driver.stop();
      await agent.idle();
      assert.deepEqual(askedSince(5), [mini.model]);
      assert.equal(agent.state.lineage.generations.length, 1);
      assert.deepEqual(lastResult(agent), { applied: false, reason: 'it was stopped' });
    });

    it('and main’s own error is the result', async () => {
      await coldAgent();
      rig.script(status(400), status(400, { message: 'main says no' }));
      await agent.compact();
      const result = lastResult(agent);
      assert.ok(result && !result.applied);
      assert.equal(agent.state.lineage.generations.length, 1);
      assert.match(result.reason, /main says no/);
    });
  });

  it('tokens of a fallback summary are booked on its model and leave main’s calibration alone', async () => {
    const agent = await start();
    await talk(agent);
    const { calibration } = agent.state;
    const before = calibration.factor(sonnet);
    rig.clock.advance(6 * MINUTE);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    assert.equal(calibration.factor(sonnet), before);
    assert.equal(calibration.samples(mini), 1);
    const reopened = await reload(agent);
    const usage = reopened.stored.records.flatMap((record) => (record.type === 'usage' ? [record.usage] : []));
    assert.deepEqual([usage.at(-1)?.kind, usage.at(-1)?.model, usage.at(-1)?.cacheKey], ['summary', mini, undefined]);
  });
});
