// A temporary workspace with the real tools over the real disk and real processes.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { NodeProcesses } from '../../../src/core/tools/nodeProcesses.ts';
import { allTools } from '../../../src/core/tools/registry.ts';
import type { ApprovalNeed, Tool, ToolContext, ToolOutcome } from '../../../src/core/tools/tool.ts';

export class ToolBench {
  /** The temporary folder; what lies beside `root` is outside the workspace. */
  readonly outer: string;
  /** The workspace folder. */
  readonly root: string;
  readonly context: ToolContext;
  readonly progress: string[] = [];

  private constructor(outer: string, roots: readonly string[], ripgrepPath: string | undefined) {
    this.outer = outer;
    this.root = join(outer, 'root');
    this.context = {
      signal: new AbortController().signal,
      clock: systemClock,
      files: new NodeFiles({ roots: () => roots, readableRoots: [join(outer, 'session')] }),
      processes: new NodeProcesses({ env: { PATH: process.env.PATH ?? '' } }),
      ripgrepPath,
      history: new Lineage(),
      onProgress: (text) => this.progress.push(text),
    };
  }

  /** `roots`: names of workspace folders below the temporary one. */
  static async open(options: { roots?: string[]; ripgrepPath?: string | undefined } = {}): Promise<ToolBench> {
    const outer = await realpath(await mkdtemp(join(tmpdir(), 'steiner-tools-')));
    const roots = (options.roots ?? ['root']).map((name) => join(outer, name));
    await mkdir(join(outer, 'root'));
    return new ToolBench(outer, roots, options.ripgrepPath);
  }

  close(): Promise<void> {
    return rm(this.outer, { recursive: true, force: true });
  }

  /** `path` is relative to the workspace folder. */
  async put(path: string, content: string | Uint8Array): Promise<string> {
    const absolute = join(this.root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
    return absolute;
  }

  bytes(path: string): Promise<Buffer> {
    return readFile(join(this.root, path));
  }

  text(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  /** A call as the agent makes it: `need` is what the user would be asked, `execute` runs it afterwards. */
  async call(name: string, args: object, signal?: AbortSignal): Promise<Call> {
    const tool = toolNamed(name);
    const input = tool.input.parse(args);
    const context = signal ? { ...this.context, signal } : this.context;
    return { need: await tool.approval(input, context), execute: () => tool.execute(input, context) };
  }

  /** The user allows whatever is asked. */
  async run(name: string, args: object, signal?: AbortSignal): Promise<ToolOutcome> {
    return (await this.call(name, args, signal)).execute();
  }

  /** The content of a call that must work and run unasked. */
  async unasked(name: string, args: object): Promise<string> {
    const { need, execute } = await this.call(name, args);
    assert.equal(need, undefined);
    const { status, content } = await execute();
    assert.equal(status, 'ok', content);
    return content;
  }

  /** The message of a call that must fail. */
  async fails(name: string, args: object): Promise<string> {
    const { status, content } = await this.run(name, args);
    assert.equal(status, 'error', content);
    return content;
  }
}

export interface Call {
  need: ApprovalNeed | undefined;
  execute(): Promise<ToolOutcome>;
}

export function toolNamed(name: string): Tool {
  const tool = allTools().find((each) => each.name === name);
  assert.ok(tool, `no tool ${name}`);
  return tool;
}

/** The ripgrep on PATH, else that of the VS Code the host tests installed; undefined when this machine has none. */
export function ripgrepOfThisMachine(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'rg'));
  const cache = join(homedir(), '.cache', 'steiner-vscode-host');
  const hosts = existsSync(cache) ? readdirSync(cache) : [];
  const bin = `lib/vscode/node_modules/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}/rg`;
  const inHosts = hosts.map((host) => join(cache, host, 'node_modules/code-server', bin));
  return [...onPath, ...inHosts].find((path) => existsSync(path));
}
