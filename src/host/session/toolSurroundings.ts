// What tools get from this window: files through the editor, processes, ripgrep.
import * as vscode from 'vscode';
import type { ToolExecutionDeps } from '../../core/agent/toolExecution.ts';
import { systemClock } from '../../core/platform/clock.ts';
import { withoutOwnKeys } from '../../core/security/environment.ts';
import { NodeFiles } from '../../core/tools/nodeFiles.ts';
import { NodeProcesses } from '../../core/tools/nodeProcesses.ts';
import { editorFiles } from '../editor/editorFiles.ts';
import { findRipgrep } from '../ripgrep.ts';
import { workspaceRoots } from '../workspaceRoots.ts';

/** `sessionFolder`: the session's own results and history.md may be read unasked. */
export async function toolSurroundings(sessionFolder: string): Promise<Omit<ToolExecutionDeps['context'], 'history'>> {
  const disk = new NodeFiles({
    roots: workspaceRoots,
    readableRoots: [sessionFolder],
  });
  return {
    clock: systemClock,
    files: editorFiles(disk),
    processes: new NodeProcesses({ env: withoutOwnKeys(process.env) }),
    ripgrepPath: await findRipgrep(vscode.env.appRoot),
  };
}
