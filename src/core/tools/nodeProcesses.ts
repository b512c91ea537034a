// Runs programs in process groups of their own, so that ending one ends everything it has started (case A1).
import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { CommandResult, ProcessRunner } from './ports.ts';
import { GRACE_MS, killTree } from './processTree.ts';

/** Bytes after which a shell command is ended: an endless output must not fill the memory. */
const MAX_SHELL_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The user's shell may be one that cannot redirect in this way, so /bin/sh does and then becomes that shell. */
const ON_ONE_PIPE = 'exec "$0" -c "$1" 2>&1';

export interface NodeProcessesOptions {
  env: Readonly<Record<string, string>>;
  /** Default `MAX_SHELL_OUTPUT_BYTES`. */
  maxShellOutputBytes?: number;
}

export class NodeProcesses implements ProcessRunner {
  readonly #options: NodeProcessesOptions;

  constructor(options: NodeProcessesOptions) {
    this.#options = options;
  }

  /**
   * The user's own shell, which is the one that the model is told of; on Windows `ComSpec`. Elsewhere both outputs share
   * one pipe: read from two, they would come in another order than they were written.
   */
  shell(
    command: string,
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; onOutput(text: string): void },
  ): Promise<CommandResult> {
    const { env, maxShellOutputBytes: maxOutputBytes = MAX_SHELL_OUTPUT_BYTES } = this.#options;
    const spawnOptions = this.#spawnOptions(options.cwd);
    const child =
      process.platform === 'win32'
        ? spawn(command, { ...spawnOptions, shell: true })
        : spawn('/bin/sh', ['-c', ON_ONE_PIPE, env.SHELL || '/bin/sh', command], spawnOptions);
    return follow(child, { ...options, maxOutputBytes });
  }

  run(
    program: string,
    args: readonly string[],
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; maxOutputBytes: number },
  ): Promise<CommandResult> {
    return follow(spawn(program, args, this.#spawnOptions(options.cwd)), options);
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
  maxOutputBytes: number;
  onOutput?(text: string): void;
}

/** Rejects with the signal's reason on abort, and when the program cannot be started. */
function follow(child: ChildProcess, options: FollowOptions): Promise<CommandResult> {
  const { signal, timeoutMs, maxOutputBytes } = options;
  return new Promise((resolve, reject) => {
    let output = '';
    let bytes = 0;
    let exitCode: number | undefined;
    let endedFor: 'time' | 'size' | undefined;
    let settled = false;

    const add = (text: string) => {
      if (settled || text === '') return;
      output += text;
      options.onOutput?.(text);
    };
    // One decoder each: a character may be split on one pipe while the other one speaks (case A17).
    const decoders = [child.stdout, child.stderr].map((stream) => {
      const decoder = new StringDecoder('utf8');
      stream?.on('data', (chunk: Buffer) => {
        if (endedFor === 'size') return;
        bytes += chunk.length;
        add(decoder.write(chunk));
        if (bytes > maxOutputBytes) end('size');
      });
      return decoder;
    });

    const settle = (how: () => void) => {
      if (settled) return;
      how();
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const finish = () =>
      settle(() => {
        // Half a character at the end is the program's only if the program came to its end.
        if (endedFor === undefined) for (const decoder of decoders) add(decoder.end());
        resolve({ exitCode, output, timedOut: endedFor === 'time', cut: endedFor === 'size' });
      });
    const end = (why: 'time' | 'size') => {
      endedFor ??= why;
      killTree(child);
      // A process that the system cannot end must not hold the turn.
      setTimeout(finish, 2 * GRACE_MS);
    };
    const onAbort = () => {
      killTree(child);
      settle(() => reject(signal.reason));
    };

    const timer = setTimeout(() => end('time'), timeoutMs);
    child.on('error', (error) => settle(() => reject(error)));
    child.on('exit', (code) => {
      exitCode = code ?? undefined;
      // In time, whatever still holds the pipes.
      clearTimeout(timer);
      // What the command left in the background may keep the pipes open; the command itself is over. The immediate
      // lets output that has already come be read, also after the event loop was held up.
      setTimeout(() => setImmediate(finish), GRACE_MS);
    });
    child.on('close', finish);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
