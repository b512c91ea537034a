// A workspace and a session folder in memory, for tools that only need files.

import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { FileStat, WorkspaceFiles } from '../../../src/core/tools/ports.ts';
import type { Tool, ToolContext } from '../../../src/core/tools/tool.ts';
import { FakeClock } from '../../rig/clock.ts';

export class MemoryFiles implements WorkspaceFiles {
  readonly roots = ['/w'];
  readonly readableRoots = ['/session'];
  /** By absolute path. */
  readonly texts = new Map<string, string>();

  stat(path: string): Promise<FileStat | undefined> {
    const text = this.texts.get(path);
    // Size and time never tell a change here: nothing may rely on them.
    return Promise.resolve(text === undefined ? undefined : { kind: 'file', size: 1, mtimeMs: 0 });
  }

  list(): Promise<[]> {
    return Promise.resolve([]);
  }

  read(path: string): Promise<Uint8Array> {
    const text = this.texts.get(path);
    return text === undefined ? Promise.reject(new Error(`no file ${path}`)) : Promise.resolve(Buffer.from(text));
  }

  realPath(path: string): Promise<string> {
    return Promise.resolve(path);
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    this.texts.set(path, Buffer.from(bytes).toString('utf8'));
    return Promise.resolve();
  }
}

/** The context of a tool that runs no process. */
export function contextOver(files: WorkspaceFiles, history: ToolContext['history'] = new Lineage()): ToolContext {
  const noProcess = () => Promise.reject(new Error('no processes here'));
  return {
    signal: new AbortController().signal,
    clock: new FakeClock(),
    files,
    history,
    processes: { shell: noProcess, run: noProcess },
    ripgrepPath: undefined,
    onProgress: () => undefined,
  };
}

/** Checks the arguments with the tool's own schema first, as the agent does. */
export async function runTool<Input>(tool: Tool<Input>, input: unknown, context: ToolContext) {
  return tool.execute(tool.input.parse(input), context);
}
