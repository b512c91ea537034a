import * as z from 'zod';
import description from '../../../templates/tools/bash.md';
import { askNothing, askToRun, isSettled } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import type { CommandResult, WorkspaceFiles } from './ports.ts';
import { type ResolvedPath, resolvePath } from './resolvePath.ts';
import type { Tool, ToolOutcome } from './tool.ts';

/** Seconds. */
const DEFAULT_TIMEOUT = 120;
const MAX_TIMEOUT = 600;

const input = z.object({
  command: z.string().min(1),
  cwd: z.string().min(1).optional(),
  timeout: z.int().min(1).max(MAX_TIMEOUT).optional().describe('seconds'),
});

type Input = z.infer<typeof input>;

export const bashTool: Tool<Input> = {
  name: 'bash',
  description: description.trim(),
  effect: 'command',
  parallel: false,
  input,
  title: ({ command }) => command.replace(/\s+/g, ' ').trim(),
  async approval(args, { files }) {
    const folder = await folderFor(args, files);
    if ('failed' in folder) return askNothing(args);
    return askToRun(args, folder, args.command, folder.path === files.roots[0]);
  },
  async execute(args, { files, processes, signal, onProgress }) {
    const { command, timeout = DEFAULT_TIMEOUT } = args;
    const folder = await folderFor(args, files);
    if ('failed' in folder) return folder.failed;
    if (!isSettled(args, folder)) return failure(`The command was not run: ${folder.shown} leads elsewhere now.`);
    const result = await processes.shell(command, {
      cwd: folder.realPath,
      timeoutMs: timeout * 1_000,
      signal,
      onOutput: onProgress,
    });
    const { output, exitCode } = result;
    const isOk = exitCode === 0 && !result.timedOut && !result.cut;
    const content = [output.trimEnd(), isOk ? '' : endOf(result, timeout)].filter((part) => part !== '').join('\n');
    return {
      status: isOk ? 'ok' : 'error',
      content: content || '[The command printed nothing.]',
      ...(exitCode === undefined ? {} : { detail: { exitCode } }),
    };
  },
};

function endOf({ timedOut, cut, exitCode }: CommandResult, timeout: number): string {
  if (timedOut) return `[Ended after ${timeout} s: the time limit.]`;
  if (cut) return '[Ended: it printed more than can be kept. Send long output to a file.]';
  return `[Exit code ${exitCode ?? 'unknown: the process was killed'}.]`;
}

async function folderFor({ cwd }: Input, files: WorkspaceFiles): Promise<ResolvedPath | { failed: ToolOutcome }> {
  try {
    const folder = await resolvePath(cwd ?? '.', files);
    if (!folder.inside) return { failed: failure(`${folder.realPath} is outside the workspace; commands run inside.`) };
    if ((await files.stat(folder.path))?.kind === 'folder') return folder;
    return { failed: failure(`${folder.shown} is not a folder.`) };
  } catch (error) {
    return { failed: fileFailure(cwd ?? '.', error) };
  }
}
