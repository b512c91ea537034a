// Runs programs in process groups of their own, so that ending one ends everything it has started (case A1).
import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { CommandResult, ProcessRunner } from './ports.ts';

/** Milliseconds between asking a process tree to end and ending it. */
const GRACE_MS = 500;

export interface NodeProcessesOptions {
  env: Readonly<Record<string, string>>;
  /** Absolute path or name of the shell; default: the system's. */
  shell?: string;
}

export class NodeProcesses implements ProcessRunner {
  readonly #options: NodeProcessesOptions;

  constructor(options: NodeProcessesOptions) {
    this.#options = options;
  }

  shell(
    command: string,
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; onOutput(text: string): void },
  ): Promise<CommandResult> {
    const child = spawn(command, { ...this.#spawnOptions(options.cwd), shell: this.#options.shell ?? true });
    return follow(child, options);
  }

  run(
    program: string,
    args: readonly string[],
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; maxOutputBytes: number },
  ): Promise<CommandResult> {
    const child = spawn(program, args, this.#spawnOptions(options.cwd));
    return follow(child, options);
  }

  #spawnOptions(cwd: string) {
    return {
      cwd,
      env: this.#options.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    };
  }
}

interface FollowOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Bytes after which the program is ended; what had come by then is returned. */
  maxOutputBytes?: number;
  onOutput?(text: string): void;
}

/** Rejects with the signal's reason on abort, and when the program cannot be started. */
function follow(child: ChildProcess, options: FollowOptions): Promise<CommandResult> {
  const { signal, timeoutMs, maxOutputBytes = Number.POSITIVE_INFINITY } = options;
  return new Promise((resolve, reject) => {
    let output = '';
    let bytes = 0;
    let timedOut = false;
    const add = (text: string) => {
      if (text === '') return;
      output += text;
      options.onOutput?.(text);
    };
    const decoders = [child.stdout, child.stderr].map((stream) => {
      const decoder = new StringDecoder('utf8');
      stream?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        add(decoder.write(chunk));
        if (bytes > maxOutputBytes) killTree(child);
      });
      return decoder;
    });
    const timer = setTimeout(() => {
      timedOut = true;
      killTree(child);
    }, timeoutMs);
    const onAbort = () => {
      killTree(child);
      finish();
      reject(signal.reason);
    };
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const done = (exitCode: number | undefined) => {
      finish();
      for (const decoder of decoders) add(decoder.end());
      resolve({ exitCode, output, timedOut });
    };
    child.on('error', (error) => {
      finish();
      reject(error);
    });
    child.on('close', (code) => done(code ?? undefined));
    // A process that outlives its shell in the background may keep the pipes open; the command itself is over.
    child.on('exit', (code) => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        done(code ?? undefined);
      }, GRACE_MS).unref();
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** Ends the process and all it has started, whether or not it listens. */
function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill(),
    );
    return;
  }
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}
