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

/** Errors: NoWorkspaceError for a relative path when no folder is open; those of `realPath`. */
export async function resolvePath(input: string, files: WorkspaceFiles): Promise<ResolvedPath> {
  const path = await absolutePath(input, files);
  const realPath = await files.realPath(path);
  const inside = await isInAny(realPath, files.roots, files);
  const readable = inside || (await isInAny(realPath, files.readableRoots, files));
  return { path, realPath, inside, readable, shown: shownPath(path, files.roots) };
}

/**
 * As `resolvePath`; a name on the way that does not exist is replaced by the one entry of its folder that looks the
 * same, if there is exactly one (case A20). For reading only: a write to a look-alike could hit the wrong file.
 */
export async function resolveForReading(input: string, files: WorkspaceFiles): Promise<ResolvedPath> {
  const exact = await resolvePath(input, files);
  const path = await existingLookAlike(exact.path, files);
  return path === undefined || path === exact.path ? exact : resolvePath(path, files);
}

/**
 * Absolute paths stay absolute; in a workspace with one folder everything below it is named relative to it. A name
 * with control characters is written as a JSON string, so that it cannot break a list of names.
 */
export function shownPath(path: string, roots: readonly string[]): string {
  const [root] = roots;
  if (root === undefined || roots.length > 1 || !isInside(path, root)) return printable(path);
  return printable(relative(root, path).split(sep).join('/') || '.');
}

export function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}

export class NoWorkspaceError extends Error {
  constructor() {
    super('No folder is open, so a relative path means nothing. Ask the user to open a folder.');
    this.name = 'NoWorkspaceError';
  }
}

async function isInAny(realPath: string, roots: readonly string[], files: WorkspaceFiles): Promise<boolean> {
  for (const root of roots) {
    if (isInside(realPath, await files.realPath(root))) return true;
  }
  return false;
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

/** Undefined: nothing like it exists, or more than one thing. */
async function existingLookAlike(path: string, files: WorkspaceFiles): Promise<string | undefined> {
  if (await files.stat(path)) return path;
  if (dirname(path) === path) return undefined;
  const folder = await existingLookAlike(dirname(path), files);
  if (folder === undefined) return undefined;
  const names = await files.list(folder).catch(() => []);
  const wanted = lookOf(basename(path));
  const [only, ...others] = names.filter(({ name }) => lookOf(name) === wanted);
  return only && others.length === 0 ? join(folder, only.name) : undefined;
}

/** Names that a person cannot tell apart have the same look: composed accents, kinds of spaces. */
function lookOf(name: string): string {
  return name.normalize('NFC').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}
