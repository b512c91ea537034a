// The one way in which tools change a file: ask with a diff, make sure of the path, write, report.
import { createHash } from 'node:crypto';
import { askNothing, askToWrite, isSettled, isStillSettled } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import type { ResolvedPath } from './resolvePath.ts';
import { encodeText, type TextFile } from './textFile.ts';
import type { ApprovalNeed, ToolOutcome } from './tool.ts';
import { unifiedDiff } from './unifiedDiff.ts';

export interface FileChange {
  resolved: ResolvedPath;
  verb: 'Create' | 'Overwrite' | 'Edit';
  /** Empty for a new file. */
  before: string;
  after: Pick<TextFile, 'text' | 'encoding'>;
  /** What the model is told when it is done. */
  done: string;
}

export type Plan = FileChange | { failed: ToolOutcome };

/** A change that cannot be made is not asked for: it fails by itself. */
export function askForChange(args: object, plan: Plan): ApprovalNeed | undefined {
  if ('failed' in plan) return askNothing(args);
  const { resolved, verb, before, after } = plan;
  return askToWrite(args, resolved, verb, unifiedDiff(resolved.shown, before, after.text));
}

export async function makeChange(args: object, plan: Plan, files: WorkspaceFiles): Promise<ToolOutcome> {
  if ('failed' in plan) return plan.failed;
  const { resolved, before, after, done } = plan;
  const { path, shown } = resolved;
  try {
    const bytes = encodeText(after);
    const mayWrite = isSettled(args, resolved) && (await isStillSettled(args, resolved, files));
    if (!mayWrite) {
      return failure(`Nothing was written: ${shown} leads elsewhere than when the change was looked at. Call again.`);
    }
    await files.write(path, bytes);
  } catch (error) {
    return fileFailure(shown, error);
  }
  return {
    status: 'ok',
    content: done,
    detail: {
      path,
      diff: unifiedDiff(shown, before, after.text),
      fileHash: createHash('sha256').update(after.text).digest('hex'),
    },
  };
}
