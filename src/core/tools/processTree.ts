// Ends a process and everything it has started (case A1). Needs the process to lead a group of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds between asking a process tree to end and ending it. */
export const GRACE_MS = 500;

/** Returns at once; whatever does not listen is gone after `GRACE_MS`. */
export function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.on('error', () => child.kill());
    return;
  }
  // Descendants are looked up while their parents live: those that made a group of their own are found no other way.
  const tree = [pid, ...descendantsOf([pid])];
  signalAll(tree, pid, 'SIGTERM');
  setTimeout(() => signalAll([...tree, ...descendantsOf(tree)], pid, 'SIGKILL'), GRACE_MS);
}

function signalAll(pids: readonly number[], group: number, signal: NodeJS.Signals): void {
  for (const target of [-group, ...pids]) {
    try {
      process.kill(target, signal);
    } catch {
      // It is gone already.
    }
  }
}

function descendantsOf(pids: readonly number[]): number[] {
  const parents = process.platform === 'linux' ? parentsFromProc() : parentsFromPs();
  const found = new Set<number>();
  const waiting = [...pids];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const [pid, parentPid] of parents) {
      if (parentPid !== parent || found.has(pid)) continue;
      found.add(pid);
      waiting.push(pid);
    }
  }
  return [...found];
}

type Parents = [pid: number, parentPid: number][];

/** Slim Linux images have no `ps`. */
function parentsFromProc(): Parents {
  return readdirSync('/proc').flatMap((name): Parents => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // `pid (name) state ppid …`; the name may hold spaces and brackets.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2])]];
    } catch {
      return [];
    }
  });
}

function parentsFromPs(): Parents {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: GRACE_MS });
  return (stdout ?? '').split('\n').flatMap((row): Parents => {
    const [pid, parent] = row.trim().split(/\s+/).map(Number);
    return pid && parent ? [[pid, parent]] : [];
  });
}
