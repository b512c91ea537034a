// What the user is asked before a file is read or changed.
import { dirname } from 'node:path';
import { looksSecret } from '../security/secretFiles.ts';
import { type ResolvedPath, resolvePath } from './resolvePath.ts';
import type { ApprovalNeed, ToolContext } from './tool.ts';

/** Undefined inside the workspace, unless the file looks like it holds secrets. The real path is named. */
export function readApproval({ realPath, readable }: ResolvedPath, verb: string): ApprovalNeed | undefined {
  if (!readable) {
    return {
      title: `${verb} outside the workspace: ${realPath}`,
      detail: realPath,
      detailKind: 'text',
      sessionKey: `outside-read:${dirname(realPath)}`,
      sessionLabel: `reading files directly in ${dirname(realPath)}`,
    };
  }
  if (!looksSecret(realPath)) return undefined;
  return {
    title: `${verb} a file that may hold secrets: ${realPath}`,
    detail: `The text of ${realPath} would be sent to the model and kept in the session.`,
    detailKind: 'text',
    sessionKey: `secret-read:${realPath}`,
    sessionLabel: `reading ${realPath}`,
  };
}

/** An allowance for edits inside the workspace never covers a file outside. */
export function writeApproval({ realPath, inside, shown }: ResolvedPath, verb: string, diff: string): ApprovalNeed {
  if (inside) {
    return {
      title: `${verb} ${shown}`,
      detail: diff,
      detailKind: 'diff',
      sessionKey: 'edits',
      sessionLabel: 'all edits inside the workspace',
    };
  }
  return {
    title: `${verb} outside the workspace: ${realPath}`,
    detail: diff,
    detailKind: 'diff',
    sessionKey: `outside-write:${realPath}`,
    sessionLabel: `edits of ${realPath}`,
  };
}

/** Where the path leads may have changed while the user was asked (a link was swapped): then nothing is written. */
export async function stillLeadsTo(approved: ResolvedPath, context: ToolContext): Promise<boolean> {
  const now = await resolvePath(approved.path, context.files);
  return now.realPath === approved.realPath;
}
