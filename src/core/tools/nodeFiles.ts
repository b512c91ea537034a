// WorkspaceFiles over the disk alone; the host puts open editors in front of it.
import { mkdir, readdir, readFile, readlink, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { isMissing } from '../platform/textFiles.ts';
import type { FileStat, WorkspaceFiles } from './ports.ts';

export interface NodeFilesOptions {
  /** Asked anew each time: folders come and go while a window is open. */
  roots(): readonly string[];
  readableRoots: readonly string[];
}

export class NodeFiles implements WorkspaceFiles {
  readonly #options: NodeFilesOptions;

  constructor(options: NodeFilesOptions) {
    this.#options = options;
  }

  get roots(): readonly string[] {
    return this.#options.roots();
  }

  get readableRoots(): readonly string[] {
    return this.#options.readableRoots;
  }

  async stat(path: string): Promise<FileStat | undefined> {
    try {
      const entry = await stat(path);
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
      return { kind, size: entry.size, mtimeMs: entry.mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async list(path: string): Promise<{ name: string; kind: FileStat['kind'] | 'link' }[]> {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => {
      if (entry.isSymbolicLink()) return { name: entry.name, kind: 'link' };
      return { name: entry.name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other' };
    });
  }

  read(path: string): Promise<Uint8Array> {
    return readFile(path);
  }

  async realPath(path: string): Promise<string> {
    const missing: string[] = [];
    for (let at = path; ; ) {
      try {
        return join(await realpath(at), ...missing);
      } catch (error) {
        if (!isMissing(error) || dirname(at) === at) throw error;
      }
      // A link whose target does not exist yet: writing through it would create the target. The target is not
      // normalised, for `..` behind a link means the parent of where that link leads.
      const target = await readlink(at).catch(() => undefined);
      if (target === undefined) {
        missing.unshift(basename(at));
        at = dirname(at);
      } else {
        at = isAbsolute(target) ? target : `${await realpath(dirname(at))}${sep}${target}`;
      }
    }
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
