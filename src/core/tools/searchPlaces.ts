import { isInside } from '../security/pathPolicy.ts';
import { readable } from './approval.ts';
import { failure } from './outcome.ts';
import type { FileStat, WorkspaceFiles } from './ports.ts';
import { NoWorkspaceError } from './resolvePath.ts';
import type { ToolOutcome } from './tool.ts';

export interface SearchPlace {
  /** Absolute. */
  path: string;
  kind: FileStat['kind'];
}

/** Where a search looks: the given path, or all workspace folders, each file once where one lies in another. */
export async function searchPlaces(
  args: object,
  path: string | undefined,
  files: WorkspaceFiles,
): Promise<{ found: SearchPlace[] } | { failed: ToolOutcome }> {
  if (path === undefined) {
    if (files.roots.length === 0) return { failed: failure(new NoWorkspaceError().message) };
    return { found: (await outermost(files)).map((root) => ({ path: root, kind: 'folder' })) };
  }
  const readablePath = await readable(args, path, 'Search', files);
  if ('failed' in readablePath) return readablePath;
  const { resolved } = readablePath;
  const stat = await files.stat(resolved.path).catch(() => undefined);
  if (!stat) return { failed: failure(`${resolved.shown} does not exist.`) };
  return { found: [{ path: resolved.path, kind: stat.kind }] };
}

async function outermost(files: WorkspaceFiles): Promise<string[]> {
  const roots = await Promise.all(files.roots.map(async (path) => ({ path, realPath: await files.realPath(path) })));
  return roots
    .filter(
      ({ realPath }, index) =>
        !roots.some(
          (other, at) =>
            at !== index && isInside(realPath, other.realPath) && (other.realPath !== realPath || at < index),
        ),
    )
    .map(({ path }) => path);
}
