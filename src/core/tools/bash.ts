import * as z from 'zod';
import description from '../../../templates/tools/bash.md';
import { failure } from './outcome.ts';
import { resolvePath } from './resolvePath.ts';
import type { Tool } from './tool.ts';

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
  async approval({ command, cwd }) {
    return {
      title: cwd ? `Run in ${cwd}` : 'Run',
      detail: command,
      detailKind: 'command',
      sessionKey: `command:${cwd ?? ''}:${command}`,
      sessionLabel: 'this exact command',
    };
  },
  async execute({ command, cwd, timeout = DEFAULT_TIMEOUT }, { files, processes, signal, onProgress }) {
    const folder = await resolvePath(cwd ?? '.', files);
    if (!folder.inside) return failure(`${folder.realPath} is outside the workspace; commands run inside it.`);
    if ((await files.stat(folder.path))?.kind !== 'folder') return failure(`${folder.shown} is not a folder.`);
    const { output, exitCode, timedOut } = await processes.shell(command, {
      cwd: folder.realPath,
      timeoutMs: timeout * 1_000,
      signal,
      onOutput: onProgress,
    });
    const end = timedOut
      ? `[Ended after ${timeout} s: the time limit.]`
      : exitCode === 0
        ? ''
        : `[Exit code ${exitCode ?? 'unknown: the process was killed'}.]`;
    const content = [output.trimEnd(), end].filter((part) => part !== '').join('\n');
    return {
      status: timedOut || exitCode !== 0 ? 'error' : 'ok',
      content: content || '[The command printed nothing.]',
      detail: exitCode === undefined ? {} : { exitCode },
    };
  },
};
