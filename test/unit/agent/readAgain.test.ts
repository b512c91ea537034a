import assert from 'node:assert/strict';
import { mkdir, readFile, stat, utimes } from 'node:fs/promises';
import type { ToolMessage } from '../../../src/core/conversation/message.ts';
import { isReadNote } from '../../../src/core/conversation/readNote.ts';
import { call, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, type AgentOptions, TestFolders } from './agentHarness.ts';

const versionOf = (letter: string) => `export const value = '${letter}';\n`.repeat(40);

describe('reading a file again, against the rig', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agents: Agent[];

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    agents = [];
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await folders.write('a.ts', versionOf('a'));
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

  /** One turn with this one call; its result. */
  async function callOnce(agent: Agent, name: string, input: Record<string, unknown>): Promise<ToolMessage> {
    rig.script(reply(call(name, input)), reply(say('Done.')));
    await agent.turn('go on');
    const message = agent.of('tool_finished').at(-1)?.message;
    assert.ok(message);
    return message;
  }

  const read = (agent: Agent, input = {}) => callOnce(agent, 'read', { path: 'a.ts', ...input });

  it('the second result is a note, the first stays as it was, and an event says so', async () => {
    const agent = await start();
    const first = await read(agent);
    const second = await read(agent);
    assert.match(first.content, /value = 'a'/);
    assert.ok(isReadNote(second.content));
    assert.deepEqual(second.detail?.sameAs, { turn: first.turn, id: first.id });
    assert.deepEqual(agent.of('file_annotation'), [
      {
        type: 'file_annotation',
        callId: second.callId,
        path: first.detail?.path,
        lines: { start: 1, end: 40, total: 40 },
        previousTurn: 1,
      },
    ]);
    assert.deepEqual(agent.state.lineage.message(first.id), first);
    assert.ok(JSON.stringify(rig.requests.at(-1)?.body).includes(`returned them`));
    assert.deepEqual(rig.violations, []);
  });

  it('the setting readAnnotations switches the notes off', async () => {
    const agent = await start({ readAnnotations: false });
    await read(agent);
    assert.match((await read(agent)).content, /value = 'a'/);
    assert.deepEqual(agent.of('file_annotation'), []);
  });

  it('A21: a change that keeps size and time is read anew; after a compaction the text comes in full; the edit works', async () => {
    const agent = await start();
    const file = `${folders.workspace}/a.ts`;
    const sizeAndTime = async () => {
      await utimes(file, 1_000, 1_000);
      const { size, mtimeMs } = await stat(file);
      return [size, mtimeMs];
    };
    const before = await sizeAndTime();
    await read(agent);
    await folders.write('a.ts', versionOf('b'));
    assert.deepEqual(await sizeAndTime(), before);
    assert.match((await read(agent)).content, /value = 'b'/);

    for (let turn = 0; turn < 4; turn++) {
      rig.script(reply(say(`answer ${'filler '.repeat(3_000)}`)));
      await agent.turn('talk');
    }
    rig.script(reply(say('The summary.')));
    await agent.compact();
    assert.equal(agent.of('compaction_finished').at(-1)?.result.applied, true);
    const full = await read(agent);
    assert.match(full.content, /value = 'b'/);
    assert.ok(isReadNote((await read(agent)).content));

    const edit = { path: 'a.ts', old_text: versionOf('b'), new_text: versionOf('c') };
    assert.equal((await callOnce(agent, 'edit', edit)).status, 'ok');
    assert.match((await read(agent)).content, /value = 'c'/);
    const note = (await read(agent)).content;
    assert.ok(isReadNote(note));
    assert.equal((await callOnce(agent, 'write', { path: 'a.ts', content: note })).status, 'error');
    assert.equal(await readFile(file, 'utf8'), versionOf('c'));
    assert.deepEqual(rig.violations, []);
  });

  it('after a compaction a fact from tool output is one search and one read away', async () => {
    const agent = await start();
    await folders.write('b.ts', `${versionOf('x')}// the port is 48213\n`);
    const first = await callOnce(agent, 'read', { path: 'b.ts' });
    for (let turn = 0; turn < 4; turn++) {
      rig.script(reply(say(`answer ${'filler '.repeat(3_000)}`)));
      await agent.turn('talk');
    }
    rig.script(reply(say('The summary.')));
    await agent.compact();
    assert.match(agent.state.lineage.active.summary ?? '', /`history` tool/);
    const found = await callOnce(agent, 'history', { action: 'search', query: 'the port is' });
    assert.ok(found.content.startsWith(first.id));
    const { content } = await callOnce(agent, 'history', { action: 'read', id: first.id });
    assert.ok(content.endsWith(first.content));
    assert.deepEqual(agent.of('approval_requested'), []);
    const archive = await readFile(agent.stored.folder.history, 'utf8');
    assert.ok(archive.includes(`[${first.id}]`), 'history.md names the id of the result');
    assert.deepEqual(rig.violations, []);
  });
});
