// A lock between processes: a folder, because making one is atomic everywhere, with the owner's pid inside.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from './progress.mjs';

const pollMs = 500;
/** An owner that died between making the folder and writing its pid is given up after this time. */
const namelessMs = 10_000;

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} folder */
async function abandoned(folder) {
  try {
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    return !alive(pid);
  } catch {
    const made = await stat(folder).catch(() => undefined);
    return made !== undefined && Date.now() - made.mtimeMs > namelessMs;
  }
}

/**
 * Runs `work` while no other process holds the lock `folder`.
 * @template T
 * @param {string} folder
 * @param {string} waiting shown once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, waiting, work) {
  await mkdir(dirname(folder), { recursive: true });
  let told = false;
  for (;;) {
    try {
      await mkdir(folder);
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (await abandoned(folder)) {
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    if (!told) say(waiting);
    told = true;
    await wait(pollMs);
  }
  try {
    await writeFile(join(folder, 'pid'), String(process.pid));
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
