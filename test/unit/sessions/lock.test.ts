import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { acquireLock, type LockOptions } from '../../../src/core/sessions/lock.ts';
import { FakeClock } from '../../rig/clock.ts';
import { countedIds, messageRecord, storeIn, textsOf, useTemporaryFolder } from './support.ts';

const MINUTE = 60_000;

describe('session lock', () => {
  const folder = useTemporaryFolder();
  const path = () => join(folder(), 'lock.json');
  const options = (change: Partial<LockOptions> = {}): LockOptions => ({
    clock: new FakeClock(),
    ids: countedIds(),
    onLost: () => undefined,
    ...change,
  });

  it('goes to one owner and names it to the other', async () => {
    const clock = new FakeClock();
    const mine = await acquireLock(path(), options({ clock }));
    assert.ok(mine.acquired);
    const other = await acquireLock(path(), options({ clock }));
    assert.ok(!other.acquired);
    assert.deepEqual([other.holder.pid, other.holder.since], [process.pid, clock.now()]);
    await mine.lock.release();
    const next = await acquireLock(path(), options({ clock }));
    assert.ok(next.acquired);
    await next.lock.release();
    assert.deepEqual(await readdir(folder()), []);
  });

  it('is taken over at once from a process that is dead', async () => {
    const clock = new FakeClock();
    const crashed = await acquireLock(path(), options({ clock }));
    assert.ok(crashed.acquired);
    const next = await acquireLock(path(), options({ clock, isAlive: () => false, ids: () => 'successor' }));
    assert.ok(next.acquired);
    await crashed.lock.release();
    assert.equal(JSON.parse(await readFile(path(), 'utf8')).token, 'successor');
    await next.lock.release();
  });

  it('goes to exactly one of many that find it stale together', async () => {
    await writeFile(path(), JSON.stringify({ pid: 2 ** 30, host: 'gone', since: 0, token: 'old' }));
    const clock = { ...systemClock, now: () => Date.now() + 10 * MINUTE };
    const tokens = countedIds();
    const results = await Promise.all(
      Array.from({ length: 12 }, () => acquireLock(path(), options({ clock, ids: tokens }))),
    );
    const owners = results.filter((result) => result.acquired);
    assert.equal(owners.length, 1);
    for (const owner of owners) await owner.lock.release();
  });

  it('outlives silence as long as its heart beats, is lost after five silent minutes, and its owner learns it', async () => {
    const beating = new FakeClock();
    let lost = 0;
    const owner = await acquireLock(path(), options({ clock: beating, onLost: () => (lost += 1) }));
    assert.ok(owner.acquired);
    for (let beat = 0; beat < 3; beat++) {
      beating.advance(5_000);
      while (beating.sleeping === 0) await nextTick();
    }
    const soon = await acquireLock(path(), options({ clock: new FakeClock(beating.now() + 5 * MINUTE) }));
    assert.ok(!soon.acquired);
    const late = await acquireLock(
      path(),
      options({ clock: new FakeClock(beating.now() + 5 * MINUTE + 1), ids: () => 'late' }),
    );
    assert.ok(late.acquired);
    beating.advance(5_000);
    while (lost === 0) await nextTick();
    await owner.lock.release();
    assert.equal(JSON.parse(await readFile(path(), 'utf8')).token, 'late');
    await late.lock.release();
  });

  it('is not stolen while its file is still being written', async () => {
    const clock = new FakeClock(Date.now());
    await writeFile(path(), '');
    const waiting = acquireLock(path(), options({ clock }));
    while (clock.sleeping === 0) await nextTick();
    await writeFile(path(), JSON.stringify({ pid: process.pid, host: 'elsewhere', since: 1, token: 'first' }));
    clock.advance(20);
    const result = await waiting;
    assert.deepEqual(result.acquired ? 'stolen' : result.holder.token, 'first');
  });

  it('A22: a window whose session was taken over stops writing to it', async () => {
    const clock = new FakeClock();
    const first = await storeIn(folder(), { clock }).create([]);
    await first.append(messageRecord(1, 'mine'));
    const second = await storeIn(folder(), { clock, ids: (prefix) => `${prefix}_second`, isAlive: () => false }).open(
      first.id,
    );
    assert.ok(second.access === 'write');
    clock.advance(5_000);
    const refused = async () => {
      for (;;) {
        await first.append({ type: 'title', title: 'x' });
        await nextTick();
      }
    };
    await assert.rejects(refused(), { name: 'SessionSaveError', kind: 'taken_over' });
    await second.session.append(messageRecord(2, 'theirs'));
    await second.session.close();
    await first.close();
    const last = await storeIn(folder(), { clock }).open(first.id);
    assert.ok(last.access === 'write');
    assert.deepEqual(textsOf(last.session.records), ['mine', 'theirs']);
    await last.session.close();
  });
});
