import { NoWorkspaceError } from './resolvePath.ts';
import type { ToolOutcome } from './tool.ts';

/** Said of a note of ours that a model wants to write into a file (case A21). */
export const NOT_FILE_TEXT =
  'nothing was written. The text is a note about an earlier read, not the text of a file; read the file again or look the result up with history.';

export function failure(content: string): ToolOutcome {
  return { status: 'error', content };
}

/** What went wrong with a file, in words for the model. */
export function fileFailure(shown: string, error: unknown): ToolOutcome {
  if (error instanceof NoWorkspaceError) return failure(error.message);
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return failure(`${shown} does not exist.`);
    case 'EACCES':
    case 'EPERM':
      return failure(`${shown} cannot be accessed: permission denied.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return failure(`${shown} cannot be created: a part of its path is a file.`);
    case 'ELOOP':
      return failure(`${shown} cannot be accessed: its links go in a circle.`);
    default:
      return failure(`${shown}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
