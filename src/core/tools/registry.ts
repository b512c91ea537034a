import { isSmallWindow } from '../tokens/smallWindow.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { historyTool } from './history.ts';
import { listTool } from './list.ts';
import { readTool } from './read.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

/** Every tool of the agent. */
export function allTools(): Tool[] {
  // Each tool checks its own input with its own schema, so what a caller sees of it is unknown.
  return [bashTool, editTool, globTool, grepTool, historyTool, listTool, readTool, writeTool] as Tool[];
}

/** What a small window has room for: enough to find, read, change and run. */
const REDUCED_SET: ReadonlySet<string> = new Set(['read', 'edit', 'write', 'grep', 'bash']);

/** The tools that a model with a window of so many tokens is offered. */
export function toolsFor<T extends Pick<Tool, 'name'>>(tools: readonly T[], contextWindow: number): readonly T[] {
  return isSmallWindow(contextWindow) ? tools.filter(({ name }) => REDUCED_SET.has(name)) : tools;
}
