import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolMessage } from '../../../src/core/conversation/message.ts';
import { replay, replayConversation } from '../../../src/core/sessions/replay.ts';
import type { SessionStore } from '../../../src/core/sessions/sessionStore.ts';
import { FakeClock } from '../../rig/clock.ts';
import { generation, messageRecord, storeIn, textsOf, userMessage, useTemporaryFolder } from './support.ts';

describe('session store', () => {
  const root = useTemporaryFolder();

  async function sessionWith(store: SessionStore, ...texts: string[]): Promise<string> {
    const session = await store.create(['/workspace']);
    for (const [index, text] of texts.entries()) await session.append(messageRecord(index + 1, text));
    await session.close();
    return session.id;
  }

  it('creates a session that can be opened again with all its records', async () => {
    const store = storeIn(root());
    const id = await sessionWith(store, 'hello', 'again');
    const opened = await store.open(id);
    assert.ok(opened.access === 'write');
    assert.deepEqual(textsOf(opened.session.records), ['hello', 'again']);
    assert.deepEqual(opened.session.badLines, []);
    await opened.session.append(messageRecord(3, 'more'));
    await opened.session.close();
    const again = await store.open(id);
    assert.ok(again.access === 'write');
    assert.deepEqual(textsOf(again.session.records), ['hello', 'again', 'more']);
    await again.session.close();
  });

  it('lets only the owner read what is stored', async () => {
    const session = await storeIn(root()).create([]);
    await session.history.append('text');
    const result = await session.saveResult('call_1', 'output');
    await session.flush();
    assert.equal((await stat(session.folder.path)).mode & 0o777, 0o700);
    assert.equal((await stat(session.folder.results)).mode & 0o777, 0o700);
    for (const file of [
      session.folder.log,
      session.folder.history,
      session.folder.header,
      session.folder.lock,
      result,
    ]) {
      assert.equal((await stat(file)).mode & 0o777, 0o600, file);
    }
    await session.close();
  });

  it('saves results whole under a name that cannot leave the folder, and apart for different calls', async () => {
    const session = await storeIn(root()).create([]);
    const long = 'Zeile 📁\n'.repeat(50_000);
    const paths = await Promise.all(
      ['call_1', '../../etc/passwd', '//etc/passwd', 'ä'.repeat(300)].map((callId) => session.saveResult(callId, long)),
    );
    assert.equal(new Set(paths).size, 4);
    for (const path of paths) {
      assert.ok(path.startsWith(`${session.folder.results}/`));
      assert.equal(await readFile(path, 'utf8'), long);
    }
    assert.equal((await readdir(session.folder.results)).length, 4);
    await session.close();
  });

  it('lists sessions by their last change, with a title and a count, from the folders alone', async () => {
    const clock = new FakeClock(5_000);
    const store = storeIn(root(), { clock });
    const older = await store.create(['/a']);
    await older.append({ type: 'title', title: 'Older' });
    await older.append({ type: 'turn_ended', turn: 1, at: 8_000, end: 'done' });
    await older.close();
    const newer = await store.create(['/b']);
    await newer.append({ type: 'title', title: 'Newer' });
    await newer.append(messageRecord(1, 'hi'));
    await newer.append({ type: 'turn_ended', turn: 1, at: 9_000, end: 'done' });
    await newer.close();
    const expected = [
      { id: newer.id, title: 'Newer', createdAt: 5_000, updatedAt: 9_000, messageCount: 1, roots: ['/b'] },
      { id: older.id, title: 'Older', createdAt: 5_000, updatedAt: 8_000, messageCount: 0, roots: ['/a'] },
    ];
    assert.deepEqual(await store.list(), { sessions: expected, unreadable: [] });
    for (const { folder } of [older, newer]) await rm(folder.header);
    assert.deepEqual(await store.list(), { sessions: expected, unreadable: [] });
  });

  it('does not trust a cached header that belongs to another state of the log', async () => {
    const store = storeIn(root());
    const session = await store.create([]);
    await session.flush();
    await session.append({ type: 'title', title: 'Set after the header was written' });
    assert.equal((await store.list()).sessions[0]?.title, 'Set after the header was written');
    await session.close();
    await writeFile(session.folder.header, '{"logBytes":');
    assert.equal((await store.list()).sessions[0]?.title, 'Set after the header was written');
  });

  it('A22: one damaged session of 20 is set aside, a cut one heals, and the others stay visible', async () => {
    const store = storeIn(root());
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push(await sessionWith(store, `text ${count}`));
    const [cut, damaged] = ids as [string, string];
    const cutLog = join(root(), cut, 'log.jsonl');
    await truncate(cutLog, (await stat(cutLog)).size - 7);
    await writeFile(join(root(), damaged, 'log.jsonl'), 'garbage\n');
    const { sessions, unreadable } = await store.list();
    assert.equal(sessions.length, 19);
    assert.deepEqual(
      unreadable.map(({ id }) => id),
      [damaged],
    );
    await assert.rejects(store.open(damaged), { name: 'UnreadableSessionError' });
    assert.equal(await readFile(join(root(), damaged, 'log.jsonl'), 'utf8'), 'garbage\n');
    const opened = await store.open(cut);
    assert.ok(opened.access === 'write');
    assert.equal(opened.session.records.length, 1);
    await opened.session.append(messageRecord(1, 'after the cut'));
    await opened.session.close();
    const again = await store.open(cut);
    assert.ok(again.access === 'write');
    assert.deepEqual(textsOf(again.session.records), ['after the cut']);
    await again.session.close();
  });

  it('A22: two windows: each adds sessions, the list has all; the second opener of one gets it read-only', async () => {
    const [one, two] = [0, 1].map((number) => {
      let count = 0;
      return storeIn(root(), {
        ids: (prefix) => {
          count += 1;
          return `${prefix}_${number}_${count}`;
        },
      });
    }) as [SessionStore, SessionStore];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => sessionWith(index % 2 === 0 ? one : two, `text ${index}`)),
    );
    assert.equal((await one.list()).sessions.length, 40);
    const shared = await one.create([]);
    await shared.append(messageRecord(1, 'mine'));
    const second = await two.open(shared.id);
    assert.ok(second.access === 'read-only' && second.why.reason === 'locked');
    assert.equal(second.why.holder.pid, process.pid);
    assert.deepEqual(textsOf(second.records), ['mine']);
    assert.equal((await two.remove(shared.id))?.pid, process.pid);
    await shared.close();
    const third = await two.open(shared.id);
    assert.ok(third.access === 'write');
    await third.session.close();
  });

  it('opens a session of a newer format read-only and leaves it untouched', async () => {
    const store = storeIn(root());
    const id = await sessionWith(store, 'hello');
    const log = join(root(), id, 'log.jsonl');
    const newer = `${(await readFile(log, 'utf8')).replace('"format":1', '"format":99')}{"type":"torn`;
    await writeFile(log, newer);
    const opened = await store.open(id);
    assert.ok(opened.access === 'read-only');
    assert.deepEqual(opened.why, { reason: 'newer_format', format: 99 });
    assert.equal(await readFile(log, 'utf8'), newer);
  });

  it('removes a session with everything in it, and nothing for an id that leads elsewhere', async () => {
    const store = storeIn(root());
    const id = await sessionWith(store, 'hello');
    const kept = await sessionWith(store, 'kept');
    assert.equal(await store.remove(id), undefined);
    assert.deepEqual(await readdir(root()), [kept]);
    for (const evil of ['..', '../x', 'a/b', '', '.']) {
      await assert.rejects(store.remove(evil), RangeError);
      await assert.rejects(store.open(evil), RangeError);
    }
    await assert.rejects(store.open('never_made'), { code: 'ENOENT' });
  });

  it('replays what was recorded, and feeds a lineage in order', async () => {
    const store = storeIn(root());
    const session = await store.create([]);
    const settings = {
      model: { provider: 'offline' as const, model: 'offline' },
      mode: 'plan' as const,
      enabledSkills: [],
      approvals: ['write'],
    };
    const tool: ToolMessage = {
      id: 't1',
      role: 'tool',
      at: 1,
      turn: 2,
      callId: 'c1',
      name: 'read',
      status: 'ok',
      content: 'x',
    };
    await session.append({ type: 'settings', settings: { ...settings, mode: 'build' } });
    await session.append({ type: 'generation', generation: generation(1) });
    await session.append(messageRecord(1, 'one'));
    await session.append({ type: 'title', title: 'one' });
    await session.append({ type: 'message', message: tool });
    await session.append({ type: 'generation', generation: generation(2) });
    await session.append({ type: 'archive_pending', generationId: 2, markdown: 'archived' });
    await session.append({ type: 'settings', settings });
    await session.append(messageRecord(3, 'three'));
    await session.append({ type: 'turn_ended', turn: 4, at: 9, end: 'stopped' });
    await session.close();
    const opened = await store.open(session.id);
    assert.ok(opened.access === 'write');
    const state = replay(opened.session.records);
    assert.deepEqual(state, {
      generations: [generation(1), generation(2)],
      messages: [userMessage(1, 'one'), tool, userMessage(3, 'three')],
      settings,
      usage: [],
      excessTokens: 0,
      lastMainRequest: undefined,
      backendState: undefined,
      title: 'one',
      lastTurn: 4,
      pendingArchives: [{ generationId: 2, markdown: 'archived' }],
    });
    const fed: string[] = [];
    replayConversation(opened.session.records, {
      addGeneration: ({ id }) => fed.push(`generation ${id}`),
      append: ({ id }) => fed.push(id),
    });
    assert.deepEqual(fed, ['generation 1', 'm1', 't1', 'generation 2', 'm3']);
    await opened.session.close();
  });
});
