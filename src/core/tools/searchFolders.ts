import { NoWorkspaceError, resolveForReading } from './resolvePath.ts';
import type { ToolContext } from './tool.ts';

/** Where a search looks: the given path, or all workspace folders. */
export async function searchFolders(
  path: string | undefined,
  { files }: ToolContext,
): Promise<{ paths: string[] } | { problem: string }> {
  if (path === undefined) {
    return files.roots.length > 0 ? { paths: [...files.roots] } : { problem: new NoWorkspaceError().message };
  }
  const resolved = await resolveForReading(path, files);
  if (!(await files.stat(resolved.path))) return { problem: `${resolved.shown} does not exist.` };
  return { paths: [resolved.path] };
}
