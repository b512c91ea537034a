// How far up .gitignore files count. Those above a repository say nothing about it: many users keep one with a single
// `*` in their home folder, which would hide every project from a search.
import { dirname, join } from 'node:path';
import { isInside } from '../security/pathPolicy.ts';
import type { WorkspaceFiles } from './ports.ts';

export interface IgnoreBoundary {
  /** Real path of the topmost folder whose .gitignore counts. */
  top: string;
  isRepository: boolean;
}

/** The repository that holds the folder; without one the workspace folder; without that the folder alone. */
export async function ignoreBoundary(realFolder: string, files: WorkspaceFiles): Promise<IgnoreBoundary> {
  for (let at = realFolder; ; at = dirname(at)) {
    // A file in a worktree and in a submodule.
    if (await files.stat(join(at, '.git')).catch(() => undefined)) return { top: at, isRepository: true };
    if (dirname(at) === at) break;
  }
  for (const root of files.roots) {
    const top = await files.realPath(root);
    if (isInside(realFolder, top)) return { top, isRepository: false };
  }
  return { top: realFolder, isRepository: false };
}
