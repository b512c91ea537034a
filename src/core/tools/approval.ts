// What the user is asked before a path is used, and the check that exactly this path is used afterwards.
import { dirname, sep } from 'node:path';
import { looksSecret } from '../security/secretFiles.ts';
import { failure, fileFailure } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { type ResolvedPath, resolveForReading, resolvePath } from './resolvePath.ts';
import type { ApprovalNeed, ToolOutcome } from './tool.ts';

/** How a path is read: one file, the names in a folder, or everything below a folder. */
export type Reading = 'Read' | 'List' | 'Search';

/**
 * The real path that was settled for a call, known by its arguments: a link may be swapped while the user thinks
 * (case A25). Undefined: the path could not be used when it was looked at, so nobody was asked about it.
 */
const settled = new WeakMap<object, string | undefined>();

/** To be returned by a tool's `approval`. Undefined inside the workspace, unless the file may hold secrets. */
export async function askToRead(
  args: object,
  path: string,
  reading: Reading,
  files: WorkspaceFiles,
): Promise<ApprovalNeed | undefined> {
  // What cannot be found is reported by the execution, which looks again.
  const resolved = await resolveForReading(path, files).catch(() => undefined);
  settled.set(args, resolved?.realPath);
  return resolved && readNeed(resolved, reading);
}

/** The path that a call may read, or the failure that says why not. */
export async function readable(
  args: object,
  path: string,
  reading: Reading,
  files: WorkspaceFiles,
): Promise<{ resolved: ResolvedPath } | { failed: ToolOutcome }> {
  let resolved: ResolvedPath;
  try {
    resolved = await resolveForReading(path, files);
  } catch (error) {
    return { failed: fileFailure(path, error) };
  }
  if (readNeed(resolved, reading) === undefined || settled.get(args) === resolved.realPath) return { resolved };
  return { failed: failure(`${resolved.shown} leads to ${resolved.realPath}, which nobody was asked about.`) };
}

/** To be returned by a tool's `approval`. An allowance for edits inside the workspace never covers anything else. */
export function askToWrite(args: object, resolved: ResolvedPath, verb: string, diff: string): ApprovalNeed {
  settled.set(args, resolved.realPath);
  const { realPath, inside, shown } = resolved;
  const isOrdinary = inside && !steersTools(realPath);
  return {
    title: inside ? `${verb} ${shown}` : `${verb} outside the workspace: ${realPath}`,
    detail: diff,
    detailKind: 'diff',
    sessionKey: isOrdinary ? 'edits' : `write:${realPath}`,
    sessionLabel: isOrdinary ? 'all edits inside the workspace' : `edits of ${realPath}`,
  };
}

export function askToRun(args: object, resolved: ResolvedPath, command: string, isRoot: boolean): ApprovalNeed {
  settled.set(args, resolved.realPath);
  return {
    title: isRoot ? 'Run' : `Run in ${resolved.shown}`,
    detail: command,
    detailKind: 'command',
    // The folder decides what a command does, so an allowance holds in one folder only.
    sessionKey: isRoot ? `command:${command}` : `command-in:${JSON.stringify([resolved.realPath, command])}`,
    sessionLabel: isRoot ? 'this exact command' : `this exact command in ${resolved.shown}`,
  };
}

/** Nothing can be asked about a call that cannot work; it must then fail, whatever has changed meanwhile. */
export function askNothing(args: object): undefined {
  settled.set(args, undefined);
}

/** Exactly the path that the user was asked about; for a caller that asks nothing, only what lies inside. */
export function isSettled(args: object, { realPath, inside }: ResolvedPath): boolean {
  return settled.has(args) ? settled.get(args) === realPath : inside;
}

/** The same question right before a write: where does the path lead now? */
export async function isStillSettled(args: object, { path }: ResolvedPath, files: WorkspaceFiles): Promise<boolean> {
  return isSettled(args, await resolvePath(path, files));
}

/** To be asked once more after reading: what was read through a link swapped meanwhile must not be shown. */
export async function stillLeadsThere({ path, realPath }: ResolvedPath, files: WorkspaceFiles): Promise<boolean> {
  return (await files.realPath(path)) === realPath;
}

function readNeed({ realPath, readable: isOurs }: ResolvedPath, reading: Reading): ApprovalNeed | undefined {
  // A list shows names only.
  if (reading !== 'List' && looksSecret(realPath)) {
    return {
      title: `${reading} a file that may hold secrets: ${realPath}`,
      detail: `The text of ${realPath} would be sent to the model and kept in the session.`,
      detailKind: 'text',
      sessionKey: `secret-read:${realPath}`,
      sessionLabel: `reading ${realPath}`,
    };
  }
  if (isOurs) return undefined;
  const [sessionKey, sessionLabel] = {
    Read: [`outside-read:${dirname(realPath)}`, `reading files directly in ${dirname(realPath)}`],
    List: [`outside-list:${realPath}`, `listing ${realPath}`],
    Search: [`outside-search:${realPath}`, `searching ${realPath} and all below it`],
  }[reading] as [string, string];
  return {
    title: `${reading} outside the workspace: ${realPath}`,
    detail: realPath,
    detailKind: 'text',
    sessionKey,
    sessionLabel,
  };
}

/** Files that git and the editor act on, such as hooks and tasks: each one is asked for by itself. */
function steersTools(realPath: string): boolean {
  // Disks that do not tell upper from lower case find the same files under both.
  const parts = realPath.toLowerCase().split(sep);
  return parts.includes('.git') || parts.includes('.vscode');
}
