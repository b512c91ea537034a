// Reading instruction files: the few effects that prompt and skills need, so that tests can bring their own.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';

export interface TextFiles {
  /**
   * The text without its byte order mark. Errors: `UnreadableFile` when the path names something else than a text
   * file, else those of node:fs (`ENOENT`, `EACCES`, ...).
   */
  readText(path: string): Promise<string>;
  /** Names in a folder, in no particular order. Errors: those of node:fs. */
  list(path: string): Promise<string[]>;
  /** The path with all links resolved. Errors: those of node:fs. */
  realPath(path: string): Promise<string>;
}

const UNREADABLE = {
  folder: 'is a folder',
  special: 'is not a regular file',
  encoding: 'is not UTF-8 text',
  outside: 'lies outside the project',
} as const;

/** There is something, but it cannot be used as text. The message is the end of a sentence that begins with "it". */
export class UnreadableFile extends Error {
  readonly why: keyof typeof UNREADABLE;

  constructor(why: keyof typeof UNREADABLE) {
    super(UNREADABLE[why]);
    this.why = why;
  }
}

export const nodeTextFiles: TextFiles = {
  async readText(path) {
    const found = await stat(path);
    // Anything but a regular file may block for ever when read.
    if (!found.isFile()) throw new UnreadableFile(found.isDirectory() ? 'folder' : 'special');
    const bytes = await readFile(path);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new UnreadableFile('encoding');
    }
  },
  list: (path) => readdir(path),
  realPath: (path) => realpath(path),
};

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

/** Why a file could not be read, as the end of a sentence that begins with "it". */
export function readFailure(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) return 'cannot be read: permission denied';
  if (hasCode(error, 'ELOOP')) return 'is a link that leads back to itself';
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
