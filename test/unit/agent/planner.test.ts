// The planner's policies from the driver to the rig: the rent meter, what a compaction carries over, and a reload.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { call, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, type AgentOptions, TestFolders } from './agentHarness.ts';

describe('the planner, against the rig', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agents: Agent[];

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    agents = [];
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
  });

  afterEach(async () => {
    for (const agent of agents) await agent.close().catch(() => undefined);
    await rig.close();
    await folders.remove();
  });

  async function start(options: Partial<AgentOptions> = {}): Promise<Agent> {
    const agent = await Agent.start(folders, { rig, policy: 'economy', ...options });
    agents.push(agent);
    return agent;
  }

  /** Short turns until a generation is made. */
  async function untilCompacted(agent: Agent, most: number): Promise<void> {
    for (let turn = 1; turn <= most && agent.state.lineage.active.id === 1; turn++) await agent.turn(`wish ${turn}`);
  }

  it('compacts far below 70% once the rent outweighs the price, and says so in the receipt', async () => {
    await folders.write('big.ts', 'export const value = 1;\n'.repeat(800));
    const agent = await start();
    rig.script(reply(call('read', { path: 'big.ts' })), reply(say('Read.')));
    await agent.turn('Read big.ts.');
    for (let n = 1; n <= 4; n++) {
      rig.script(reply(say(`long ${'filler '.repeat(4_000)}`)));
      await agent.turn(`More ${n}.`);
    }
    assert.equal(agent.state.lineage.active.id, 1);
    assert.ok(agent.state.excessTokens > 0);
    await folders.write('big.ts', 'export const value = 2; // on disk now\n');
    rig.script(() => reply(say('Answer or summary.')));
    await untilCompacted(agent, 60);
    const { receipt, carried, retained } = agent.state.lineage.active;
    assert.equal(receipt?.planned?.reason, 'rent');
    assert.equal(receipt?.planned?.policy, 'economy');
    assert.ok((receipt?.tokensBefore ?? 0) < 100_000);
    assert.equal(retained.length, 1);
    const text = JSON.stringify(carried);
    assert.ok(text.includes('on disk now') && text.includes('Read big.ts.') && text.includes('ledger'));
    assert.deepEqual(rig.violations, []);
  });

  it('the rent meter is the same after a reload, and begins anew with a generation', async () => {
    await folders.write('a.ts', 'export const a = 1;\n');
    const agent = await start();
    for (let n = 1; n <= 3; n++) {
      rig.script(reply(say(`long ${'filler '.repeat(4_000)}`)));
      await agent.turn(`Question ${n}.`);
    }
    const { excessTokens } = agent.state;
    assert.ok(excessTokens > 0);
    const next = await agent.reload();
    agents.push(next);
    assert.equal(next.state.excessTokens, excessTokens);
    rig.script(reply(say('Summary.')));
    await next.compact();
    assert.equal(next.state.lineage.active.receipt?.planned?.policy, 'economy');
    assert.equal(next.state.excessTokens, 0);
    const again = await next.reload();
    agents.push(again);
    assert.equal(again.state.excessTokens, 0);
  });

  it('the summary call is the last prompt and one instruction, and reads it from the cache', async () => {
    const agent = await start();
    for (let n = 1; n <= 3; n++) {
      rig.script(reply(say(`long ${'filler '.repeat(4_000)}`)));
      await agent.turn(`Question ${n}.`);
    }
    rig.script(reply(say('Summary.')));
    await agent.compact();
    const { usage, prompt } = rig.requests.at(-1) ?? {};
    assert.ok(prompt && usage);
    assert.ok((usage.cacheRead ?? 0) > 0.4 * usage.input, JSON.stringify(usage));
    assert.deepEqual(rig.violations, []);
  });

  it('no file outside the workspace is read for it, and none that may hold secrets', async () => {
    await folders.write('.env', 'KEY=abcdef0123456789\n');
    await folders.write('a.ts', 'export const a = 1;\n');
    const agent = await start();
    rig.script(reply(call('read', { path: '.env' }), call('read', { path: 'a.ts' })), reply(say('Read.')));
    await agent.turn('Read both.');
    for (let n = 1; n <= 2; n++) {
      rig.script(reply(say(`long ${'filler '.repeat(4_000)}`)));
      await agent.turn(`Question ${n}.`);
    }
    rig.script(reply(say('Summary.')));
    await agent.compact();
    const { carried, receipt } = agent.state.lineage.active;
    assert.deepEqual(receipt?.planned?.files, [`${folders.workspace}/a.ts`]);
    assert.ok(!JSON.stringify(carried).includes('abcdef0123456789'));
  });
});
