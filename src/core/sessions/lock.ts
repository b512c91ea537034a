// One writer per session. The lock file names its owner; a dead owner's lock is taken over at once, a silent one's
// after a while (its process id may have been reused, or it lives on another machine).
import { mkdir, open, readFile, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Clock } from '../platform/clock.ts';
import type { IdSource } from '../platform/ids.ts';
import { FILE_MODE } from './sessionFolder.ts';

export interface LockHolder {
  pid: number;
  host: string;
  /** Milliseconds since the epoch. */
  since: number;
  token: string;
}

export interface SessionLock {
  /** Gives the lock back; a lock that was taken over is left alone. */
  release(): Promise<void>;
}

export type LockResult = { acquired: true; lock: SessionLock } | { acquired: false; holder: LockHolder };

export interface LockOptions {
  clock: Clock;
  ids: IdSource;
  /** Called once when another window has taken the lock over. */
  onLost(): void;
  isAlive?: ((pid: number) => boolean) | undefined;
}

const HEARTBEAT_MS = 5_000;
/** A sleeping computer stops heartbeats as well: well above the time a woken window needs for its next one. */
const SILENT_MS = 5 * 60_000;
const TAKEOVER_MS = 10_000;
const RETRY_MS = 20;

/** Errors: those of the file system. */
export async function acquireLock(path: string, options: LockOptions): Promise<LockResult> {
  const { clock, ids } = options;
  const own: LockHolder = { pid: process.pid, host: hostname(), since: clock.now(), token: ids('lock') };
  for (;;) {
    if (await create(path, own, clock)) return { acquired: true, lock: keep(path, own, options) };
    const found = await inspect(path, options);
    if (typeof found === 'object') return { acquired: false, holder: found };
    if (found === 'stale') await removeStale(path, options);
    else await clock.sleep(RETRY_MS);
  }
}

/** Two windows that find the same stale lock must not remove each other's new one: one at a time, looking again. */
async function removeStale(path: string, options: LockOptions): Promise<void> {
  const gate = `${path}.takeover`;
  if (!(await enterGate(gate, options.clock))) {
    await options.clock.sleep(RETRY_MS);
    return;
  }
  try {
    if ((await inspect(path, options)) === 'stale') await rm(path, { force: true });
  } finally {
    await rmdir(gate).catch(() => undefined);
  }
}

async function enterGate(gate: string, clock: Clock): Promise<boolean> {
  try {
    await mkdir(gate);
    await utimes(gate, new Date(clock.now()), new Date(clock.now()));
    return true;
  } catch (error) {
    // Another one took the gate for an old one before it had its time.
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) !== 'EEXIST') throw error;
    const age = await stat(gate).then(
      ({ mtimeMs }) => clock.now() - mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_MS) await rmdir(gate).catch(() => undefined);
    return false;
  }
}

async function create(path: string, holder: LockHolder, clock: Clock): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', FILE_MODE);
    try {
      await handle.writeFile(JSON.stringify(holder));
      await handle.utimes(new Date(clock.now()), new Date(clock.now()));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The holder if it lives; else `stale`, or `unsettled`: just gone, or just being written. */
async function inspect(path: string, options: LockOptions): Promise<LockHolder | 'stale' | 'unsettled'> {
  const holder = await readHolder(path);
  const silence = options.clock.now() - (await stat(path).catch(() => ({ mtimeMs: Number.NaN }))).mtimeMs;
  if (Number.isNaN(silence)) return 'unsettled';
  // Its writer died between creating and filling it, unless it is only a moment old.
  if (!holder) return silence > TAKEOVER_MS ? 'stale' : 'unsettled';
  if (holder.host === hostname() && !(options.isAlive ?? isAlive)(holder.pid)) return 'stale';
  return silence > SILENT_MS ? 'stale' : holder;
}

/** Undefined: gone, or not readable as a lock. */
async function readHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const { pid, host, since, token } = JSON.parse(await readFile(path, 'utf8')) as Partial<LockHolder>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'number') return undefined;
    return typeof token === 'string' ? { pid, host, since, token } : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process: it exists.
    return codeOf(error) === 'EPERM';
  }
}

function keep(path: string, own: LockHolder, { clock, onLost }: LockOptions): SessionLock {
  const stop = new AbortController();
  const beating = (async () => {
    while (
      await clock.sleep(HEARTBEAT_MS, stop.signal).then(
        () => true,
        () => false,
      )
    ) {
      if (await beat(path, own, clock)) continue;
      onLost();
      return;
    }
  })();
  return {
    async release() {
      stop.abort();
      await beating;
      if ((await readHolder(path))?.token === own.token) await rm(path, { force: true });
    },
  };
}

/** False: the lock is another's now. A file system that fails for a moment is no reason to give up. */
async function beat(path: string, own: LockHolder, clock: Clock): Promise<boolean> {
  try {
    if ((await readHolder(path))?.token !== own.token) return false;
    const now = new Date(clock.now());
    await utimes(path, now, now);
  } catch {
    // The next beat will show.
  }
  return true;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
