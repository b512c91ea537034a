import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { replay } from '../../../src/core/sessions/replay.ts';
import { reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, TestFolders } from './agentHarness.ts';

describe('adopt, then archive (invariant 6)', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agent: Agent;

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    agent = await Agent.start(folders, { rig });
    for (let turn = 1; turn <= 5; turn++) {
      rig.script(reply(say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
    rig.script(reply(say('The summary text.')), reply(say('still here')));
  });
  afterEach(async () => {
    await agent.close();
    await rig.close();
    await folders.remove();
  });

  it('history.md does not exist before the first compaction, and holds the source once it was adopted', async () => {
    const path = agent.stored.folder.history;
    await assert.rejects(readFile(path), { code: 'ENOENT' });
    await agent.compact();
    assert.equal(agent.state.lineage.active.kind, 'summary');
    assert.match(await readFile(path, 'utf8'), /question 1/);
  });

  it('a failed append warns; the new generation and its note stay, and the text waits in the log', async () => {
    const path = agent.stored.folder.history;
    await mkdir(path);
    await agent.compact();
    assert.equal(agent.of('compaction_finished')[0]?.result.applied, true);
    assert.match(agent.state.lineage.active.summary ?? '', /The summary text\.[\s\S]*history\.md/);
    const [warning] = agent.of('notice').filter(({ severity }) => severity === 'warning');
    assert.match(warning?.message ?? '', /^history\.md could not be written/);
    await agent.turn('go on');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    await rm(path, { recursive: true });
    agent = await agent.reload();
    const [pending, ...more] = replay(agent.stored.records).pendingArchives;
    assert.match(pending?.markdown ?? '', /question 1/);
    assert.deepEqual(more, []);
  });
});
