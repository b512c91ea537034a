// The built-in model over the real tools in a folder.
import assert from 'node:assert/strict';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { NodeProcesses } from '../../../src/core/tools/nodeProcesses.ts';
import { allTools } from '../../../src/core/tools/registry.ts';
import type { ToolContext } from '../../../src/core/tools/tool.ts';
import { Conversation, type RunTool } from './conversation.ts';

export function conversationIn(root: string): Conversation {
  const context: ToolContext = {
    signal: new AbortController().signal,
    clock: systemClock,
    files: new NodeFiles({ roots: () => [root], readableRoots: [] }),
    processes: new NodeProcesses({ env: { PATH: process.env.PATH ?? '' } }),
    history: new Lineage(),
    ripgrepPath: undefined,
    onProgress: () => undefined,
  };
  const tools = allTools();
  const run: RunTool = async ({ name, input }) => {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool, `no tool ${name}`);
    // Arguments that the tool's own schema refuses would be a fault of the model.
    const { status, content } = await tool.execute(tool.input.parse(input), context);
    return { content, isError: status !== 'ok' };
  };
  const talk = new Conversation(run);
  talk.tools = tools.map(({ name }) => name);
  return talk;
}
