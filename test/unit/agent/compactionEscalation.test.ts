// Health of a session over its compactions, manual compaction with a focus, and the replacement guard on a real driver.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { systemClock } from '../../../src/core/platform/clock.ts';
import type { LoggedRequest } from '../../rig/log.ts';
import { call, pause, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { until } from '../../rig/until.ts';
import { Agent, TestFolders } from './agentHarness.ts';

describe('escalation, manual compaction and replacement, against the rig', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agents: Agent[];

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    agents = [];
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await folders.write(
      'a.ts',
      `export const a = [\n${"  'some words in it, and some more of them, so that one page of this file fills a few thousand tokens of a prompt',\n".repeat(180)}];\n`,
    );
  });

  afterEach(async () => {
    for (const agent of agents) await agent.close().catch(() => undefined);
    await rig.close();
    await folders.remove();
  });

  async function start(options: Partial<Parameters<typeof Agent.start>[1]> = {}): Promise<Agent> {
    const agent = await Agent.start(folders, { rig, ...options });
    agents.push(agent);
    return agent;
  }

  async function talk(agent: Agent, turns = 5): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      rig.script(reply(say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
  }

  const isSummary = ({ body }: LoggedRequest) => {
    const { max_tokens } = body as { max_tokens: number };
    return max_tokens <= 20_480;
  };
  const healthOf = (agent: Agent) =>
    agent
      .of('session_health')
      .map(({ severity, sessionState, compactionCount }) => [compactionCount, severity, sessionState]);

  it('each applied stage of one turn is counted: info, then warning, then critical', async () => {
    rig.script((request, n) => {
      if (isSummary(request)) return reply(say('Summary.'));
      return n < 60 && healthCount() < 3 ? reply(call('bash', { command: 'seq 1 1500' })) : reply(say('done'));
    });
    const agent = await start({ clock: systemClock, softThreshold: () => 22_000 });
    const healthCount = () => agent.of('session_health').length;
    await agent.turn('go on and on');
    const health = healthOf(agent);
    const counts = health.map(([count]) => Number(count));
    assert.ok(counts.length >= 3, `only ${counts.length} compactions`);
    const stages = agent.of('compaction_finished').flatMap(({ result }) => (result.applied ? [result.stageCount] : []));
    let sum = 0;
    assert.deepEqual(
      counts,
      stages.map((each) => (sum += each)),
    );
    for (const [count, severity] of health) {
      assert.equal(severity, ['info', 'info', 'warning'][Number(count)] ?? 'critical');
    }
    assert.deepEqual(rig.violations, []);
    const before = health.length;
    rig.script((request) => (isSummary(request) ? reply(say('Summary.')) : reply(say('fine'))));
    for (let n = 1; n <= 5 && agent.of('session_health').length === before; n++) {
      await agent.turn(`a new turn ${'filler '.repeat(5_000)}`);
    }
    assert.equal(healthOf(agent)[before]?.[0], 1, 'a new turn counts from zero');
  });

  it('a two-stage compaction adds 2 and warns at once', async () => {
    // One page of a file is more than the answer that the normal stage can drop, so that the emergency stage follows.
    let threshold = Number.POSITIVE_INFINITY;
    let pages = 0;
    for (const n of [1, 2, 3])
      await folders.write(
        `page${n}.ts`,
        `${'some words, more than a few of them, so that a page is long\n'.repeat(350)}`,
      );
    const agent = await start({ softThreshold: () => threshold });
    rig.script(reply(say('filler '.repeat(5_000))));
    rig.script((request) => {
      if (isSummary(request)) return reply(say('Summary.'));
      pages += 1;
      if (pages === 3) threshold = (agent.of('meter').at(-1)?.meter.tokens ?? 0) + 1;
      return reply(pages <= 3 ? call('read', { path: `page${pages}.ts` }) : say('done'));
    });
    await agent.turn('first');
    await agent.turn('read');
    const result = agent.of('compaction_finished')[0]?.result;
    assert.equal(result?.applied && result.stageCount, 2);
    assert.deepEqual(healthOf(agent)[0], [2, 'warning', 'fragile']);
    assert.deepEqual(rig.violations, []);
  });

  it('manual compaction counts from zero each time, and what applies nothing reports no health', async () => {
    const agent = await start();
    for (let n = 1; n <= 3; n++) {
      await talk(agent);
      rig.script(reply(say(`Summary ${n}.`)));
      await agent.compact();
    }
    assert.deepEqual(healthOf(agent), [
      [1, 'info', 'stable'],
      [1, 'info', 'stable'],
      [1, 'info', 'stable'],
    ]);
    rig.script(reply(say('')), reply(say('')));
    await agent.compact();
    assert.equal(agent.of('compaction_finished').at(-1)?.result.applied, false);
    assert.equal(agent.of('session_health').length, 3);
  });

  it('manual compaction asks with the system prompt and the tools of the last parent request', async () => {
    const agent = await start();
    await talk(agent);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    const [parent, summary] = rig.requests.slice(-2).map(({ body }) => body as { system: unknown; tools: unknown[] });
    assert.ok((summary?.tools.length ?? 0) > 0);
    assert.deepEqual(summary?.tools, parent?.tools);
    assert.deepEqual(summary?.system, parent?.system);
  });

  it('manual compaction after a reload asks with the same tools and system prompt', async () => {
    let agent = await start();
    await talk(agent);
    agent = await agent.reload();
    agents.push(agent);
    rig.script(reply(say('Summary.')));
    await agent.compact();
    const [parent, summary] = rig.requests.slice(-2).map(({ body }) => body as { system: unknown; tools: unknown[] });
    assert.deepEqual([summary?.tools, summary?.system], [parent?.tools, parent?.system]);
  });

  it('manual compaction before the first message says that there is nothing and asks no model', async () => {
    const agent = await start();
    await agent.compact();
    assert.match(agent.of('notice')[0]?.message ?? '', /no conversation to compact/);
    assert.equal(rig.requests.length, 0);
  });

  it('/compact with a focus text compacts and hands the text to the summary, and is no message', async () => {
    const agent = await start();
    await talk(agent);
    rig.script(reply(say('Summary.')));
    await agent.turn('/compact  keep the names of\nall greek letters ');
    assert.equal(agent.of('compaction_finished')[0]?.trigger, 'manual');
    assert.match(JSON.stringify(rig.requests.at(-1)?.body), /keep the names of\\nall greek letters/);
    assert.equal(agent.of('user_message').length, 5);
  });

  it('/compact alone compacts; a word that only begins like it is a message', async () => {
    const agent = await start();
    await talk(agent);
    rig.script(reply(say('Summary.')), reply(say('a message')));
    await agent.turn('/compact');
    assert.equal(agent.of('compaction_finished').length, 1);
    await agent.turn('/compaction is what?');
    assert.equal(agent.of('compaction_finished').length, 1);
    assert.equal(agent.of('user_message').length, 6);
  });

  it('/compact while a turn runs waits for the gap and keeps its focus', async () => {
    const agent = await start({ clock: systemClock });
    await talk(agent);
    rig.script(reply(call('bash', { command: 'sleep 0.3' })), reply(say('Summary.')), reply(say('after')));
    agent.driver.send('sleep');
    await until(() => agent.of('tool_started').length === 1, 'the tool runs');
    agent.driver.send('/compact mind the gap');
    assert.deepEqual(agent.driver.queued, []);
    await agent.idle();
    const summary = rig.requests.at(-2);
    assert.match(JSON.stringify(summary?.body), /mind the gap/);
    assert.equal(agent.of('compaction_finished')[0]?.result.applied, true);
    assert.deepEqual(rig.violations, []);
  });

  it('the guard refuses replacement from the first moment of a turn until all of it has come to rest', async () => {
    const agent = await start();
    assert.equal(agent.driver.replacementRefusal(), undefined);
    rig.script(reply(say('a'), pause(300), say('b')));
    agent.driver.send('work');
    assert.match(agent.driver.replacementRefusal() ?? '', /still working/);
    await until(() => agent.of('assistant_delta').length > 0, 'text streams');
    assert.match(agent.driver.replacementRefusal() ?? '', /still working/);
    agent.driver.stop();
    assert.match(agent.driver.replacementRefusal() ?? '', /still working/, 'stopping is not at rest yet');
    await agent.idle();
    assert.equal(agent.driver.replacementRefusal(), undefined);
  });

  it('the guard refuses replacement during a compaction and while a setting is being stored', async () => {
    const agent = await start();
    await talk(agent);
    rig.script(reply(say('Summary.')));
    const compaction = agent.compact();
    assert.match(agent.driver.replacementRefusal() ?? '', /still working/);
    await compaction;
    const change = agent.driver.setMode('plan');
    assert.match(agent.driver.replacementRefusal() ?? '', /not taken up/);
    await change;
    assert.equal(agent.driver.replacementRefusal(), undefined);
  });
});
