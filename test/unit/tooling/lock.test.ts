import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withLock } from '../../../scripts/lib/lock.mjs';

describe('the lock of an installation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steiner-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lets one in after the other', async () => {
    const lock = join(folder, 'lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await wait(50);
      inside -= 1;
    };
    await Promise.all([withLock(lock, '', work), withLock(lock, '', work)]);
    assert.equal(most, 1);
  });

  it('is free again after a failure', async () => {
    const lock = join(folder, 'lock');
    await assert.rejects(
      withLock(lock, '', async () => {
        throw new Error('no network');
      }),
      /no network/,
    );
    assert.equal(await withLock(lock, '', async () => 'in'), 'in');
  });

  it('is taken over from a process that died', async () => {
    const lock = join(folder, 'lock');
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    await mkdir(lock);
    await writeFile(join(lock, 'pid'), String(dead));
    assert.equal(await withLock(lock, '', async () => 'in'), 'in');
  });
});
