import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, type AgentOptions, TestFolders } from './agentHarness.ts';

describe('request events, against the rig', () => {
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
    const agent = await Agent.start(folders, { rig, ...options });
    agents.push(agent);
    return agent;
  }

  async function talk(agent: Agent, turns: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      rig.script(reply(say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
  }

  /** What the model was sent last: names of tools and the number of messages. */
  function lastSent(): { tools: string[]; messages: number } {
    const body = rig.requests.at(-1)?.body as { tools?: { name: string }[]; messages: unknown[] };
    return { tools: (body.tools ?? []).map(({ name }) => name), messages: body.messages.length };
  }

  it('every model call records what it sent', async () => {
    const agent = await start();
    assert.equal(agent.snapshots.snapshot(), undefined);
    await talk(agent, 2);
    const snapshot = agent.snapshots.parentSnapshot();
    assert.equal(snapshot?.kind, 'main');
    assert.deepEqual(
      snapshot?.tools.map(({ name }) => name),
      lastSent().tools,
    );
    assert.equal(snapshot?.messages.length, lastSent().messages);
    assert.equal(snapshot?.messageHashes.length, snapshot?.messages.length);
    assert.match(JSON.stringify(snapshot?.messages.at(-1)), /question 2/);
  });

  it('the hashes of what was sent before stay the same from call to call', async () => {
    const agent = await start();
    await talk(agent, 1);
    const first = agent.snapshots.parentSnapshot()?.messageHashes ?? [];
    await talk(agent, 1);
    const second = agent.snapshots.parentSnapshot()?.messageHashes ?? [];
    assert.equal(first.length, 1);
    assert.deepEqual(second.slice(0, first.length), first);
    assert.equal(second.length, 3);
  });

  it('manual compaction: a summary request is recorded as such and carries the tools of the last parent request', async () => {
    const agent = await start();
    await talk(agent, 5);
    const parent = agent.snapshots.parentSnapshot();
    rig.script(reply(say('The summary.')));
    await agent.compact();
    assert.equal(agent.of('compaction_finished').at(-1)?.result.applied, true);
    const summary = agent.snapshots.snapshot();
    assert.equal(summary?.kind, 'summary');
    assert.ok(parent && parent.tools.length > 0);
    assert.deepEqual(summary?.tools, parent.tools);
    assert.deepEqual(
      lastSent().tools,
      parent.tools.map(({ name }) => name),
    );
    assert.deepEqual(agent.snapshots.parentSnapshot(), parent, 'the parent’s request is still the last one');
  });

  it('manual compaction after a reload, with no request recorded, carries the tools stored in the generation', async () => {
    let agent = await start();
    await talk(agent, 5);
    const before = agent.snapshots.parentSnapshot()?.tools;
    agent = await agent.reload();
    agents.push(agent);
    assert.equal(agent.snapshots.parentSnapshot(), undefined);
    rig.script(reply(say('The summary.')));
    await agent.compact();
    assert.deepEqual(agent.snapshots.snapshot()?.tools, before);
    assert.deepEqual(rig.violations, []);
  });
});
