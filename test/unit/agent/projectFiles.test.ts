import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { contextReport } from '../../../src/core/report/contextReport.ts';
import { estimateRequest } from '../../../src/core/tokens/estimate.ts';
import { reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, sonnet, TestFolders } from './agentHarness.ts';

describe('budgets in a conversation', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agent: Agent;

  beforeEach(async () => {
    rig = await startRig();
    rig.script((_, n) => reply(say(`answer ${n}`)));
    folders = await TestFolders.make();
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
  });
  afterEach(async () => {
    await agent.close();
    await rig.close();
    await folders.remove();
  });

  const warnings = () => agent.of('notice').filter(({ severity }) => severity === 'warning');

  it('a project file over the budget is cut, told once, and marked in the report also after a reload', async () => {
    const path = await folders.write('notes.md', 'q'.repeat(50));
    agent = await Agent.start(folders, { rig, projectFiles: { files: ['notes.md'], maxBytes: 20 } });
    await agent.turn('hello');
    await agent.turn('again');
    assert.deepEqual(
      warnings().map(({ message }) => message),
      [`${path} was cut for the prompt: 20 of its 50 bytes are sent.`],
    );
    assert.match(warnings()[0]?.advice ?? '', /projectFilesMaxBytes/);
    const sent = JSON.stringify(rig.requests.at(-1)?.body);
    assert.ok(sent.includes('q'.repeat(20)) && !sent.includes('q'.repeat(21)));
    agent = await agent.reload();
    const request = projectRequest(agent.state.lineage.view(), { maxOutputTokens: 1_000, cacheKey: 'k' });
    const sizes = { total: 100, window: 200_000, reserve: 1, margin: 1, threshold: 1 };
    const report = contextReport({ model: sonnet, request, estimate: estimateRequest(request, sonnet), ...sizes });
    assert.ok(report.rows.some(({ detail }) => detail === `${path} (truncated)`));
  });

  it('the skill budget of the settings is the cap of what is delivered', async () => {
    const folder = join(folders.workspace, '.steiner/skills/long');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), `---\nname: long\ndescription: x\n---\n${'s'.repeat(2_000)}\n`);
    agent = await Agent.start(folders, { rig, skillBytes: 1_000 });
    await agent.driver.setEnabledSkills(['long']);
    await agent.turn('hello');
    assert.deepEqual(
      agent.of('skill_truncated').map(({ name, cap }) => [name, cap]),
      [['long', 1_000]],
    );
    assert.match(JSON.stringify(rig.requests.at(-1)?.body), /\[truncated: skill exceeded the 1000-byte cap\]/);
  });
});
