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
