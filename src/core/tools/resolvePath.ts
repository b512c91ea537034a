// From what the model wrote to a path on disk, and whether the workspace holds it.
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../security/pathPolicy.ts';
import type { WorkspaceFiles } from './ports.ts';

export interface ResolvedPath {
  /** Absolute, as written. */
  path: string;
  /** Links resolved; of a path that does not exist, the place where it would be. */
  realPath: string;
  /** Inside a workspace folder. */
  inside: boolean;
  /** Inside the workspace or the session's own folder. */
  readable: boolean;
  /** As results name it: relative to the workspace folder where there is just one, else absolute. */
  shown: string;
}

/** Errors: NoWorkspaceError for a relative path when no folder is open. */
export async function resolvePath(input: string, files: WorkspaceFiles): Promise<ResolvedPath> {
  const path = await absolutePath(input, files);
  const realPath = await files.realPath(path);
  const roots = await Promise.all(files.roots.map((root) => files.realPath(root)));
  const inside = roots.some((root) => isInside(realPath, root));
  const readableRoots = await Promise.all(files.readableRoots.map((root) => files.realPath(root)));
  const readable = inside || readableRoots.some((root) => isInside(realPath, root));
  return { path, realPath, inside, readable, shown: shownPath(path, files.roots) };
}

/**
 * As `resolvePath`; a name that does not exist is replaced by the one entry of its folder that looks the same, if
 * there is exactly one (case A20). For reading only: a write to a look-alike could hit the wrong file.
 */
export async function resolveForReading(input: string, files: WorkspaceFiles): Promise<ResolvedPath> {
  const exact = await resolvePath(input, files);
  if (await files.stat(exact.path)) return exact;
  const names = await files.list(dirname(exact.path)).catch(() => []);
  const wanted = lookOf(basename(exact.path));
  const [only, ...others] = names.filter(({ name }) => lookOf(name) === wanted);
  return only && others.length === 0 ? resolvePath(join(dirname(exact.path), only.name), files) : exact;
}

/** Absolute paths stay absolute; in a workspace with one folder everything below it is named relative to it. */
export function shownPath(path: string, roots: readonly string[]): string {
  const [root] = roots;
  if (root === undefined || roots.length > 1 || !isInside(path, root)) return path;
  return relative(root, path).split(sep).join('/') || '.';
}

export class NoWorkspaceError extends Error {
  constructor() {
    super('No folder is open, so a relative path means nothing. Ask the user to open a folder.');
    this.name = 'NoWorkspaceError';
  }
}

async function absolutePath(input: string, files: WorkspaceFiles): Promise<string> {
  if (isAbsolute(input)) return resolve(input);
  const [first, ...others] = files.roots;
  if (first === undefined) throw new NoWorkspaceError();
  // With several folders a path may begin with the name of one, as VS Code shows it.
  const named = others.length > 0 && files.roots.find((root) => basename(root) === input.split(/[\\/]/)[0]);
  if (named && !(await files.stat(resolve(first, input)))) return resolve(dirname(named), input);
  return resolve(first, input);
}

/** Names that a person cannot tell apart have the same look: composed accents, kinds of spaces. */
function lookOf(name: string): string {
  return name.normalize('NFC').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}
