// What tools need from their surroundings. The host implements these over VS Code; tests over a temporary folder.
import type { Message } from '../conversation/message.ts';

export interface FileStat {
  kind: 'file' | 'folder' | 'other';
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

export interface WorkspaceFiles {
  /** Absolute paths of the workspace folders, in folder order; empty without a folder. */
  readonly roots: readonly string[];
  /** Absolute paths outside the workspace that tools may read unasked (the session's own folder). */
  readonly readableRoots: readonly string[];
  stat(path: string): Promise<FileStat | undefined>;
  /** Names with kinds, unsorted. */
  list(path: string): Promise<{ name: string; kind: FileStat['kind'] | 'link' }[]>;
  /** The file's bytes, or those of the unsaved editor buffer when there is one. */
  read(path: string): Promise<Uint8Array>;
  /** The path with all links resolved; for a path that does not exist, its nearest existing parent resolved. */
  realPath(path: string): Promise<string>;
  /** Creates or replaces the whole file, as one undoable edit where an editor can; creates parent folders. */
  write(path: string, bytes: Uint8Array): Promise<void>;
}

/** What was ever said and done in the session, compacted or not. The lineage is one. */
export interface HistoryAccess {
  /** Oldest first. */
  readonly messages: readonly Message[];
  message(id: string): Message | undefined;
}

export interface CommandResult {
  exitCode: number | undefined;
  /** Interleaved stdout and stderr, decoded as UTF-8 across chunk borders. */
  output: string;
  timedOut: boolean;
  /** The output went over its limit, so the program was ended; `output` is what had come by then. */
  cut: boolean;
}

export interface ProcessRunner {
  /** Runs a shell command; the whole process tree is killed on time-out or abort. */
  shell(
    command: string,
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; onOutput(text: string): void },
  ): Promise<CommandResult>;
  /** Runs a program with an argument list, never through a shell. */
  run(
    program: string,
    args: readonly string[],
    options: { cwd: string; timeoutMs: number; signal: AbortSignal; maxOutputBytes: number },
  ): Promise<CommandResult>;
}
