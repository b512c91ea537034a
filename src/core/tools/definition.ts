import * as z from 'zod';
import type { ToolDefinition } from '../conversation/request.ts';
import type { Tool } from './tool.ts';

/** As the model is told of them, sorted by name: the order is part of the cached bytes. */
export function toolDefinitions(tools: readonly Tool[]): ToolDefinition[] {
  return tools
    .map(({ name, description, input }) => {
      // `$schema` is the same for all and costs tokens.
      const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
      return { name, description, inputSchema };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
