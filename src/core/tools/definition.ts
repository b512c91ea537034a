import * as z from 'zod';
import type { ToolDefinition } from '../conversation/request.ts';
import type { Tool } from './tool.ts';

/** As the model is told of them, sorted by name: the order is part of the cached bytes. */
export function toolDefinitions(tools: readonly Tool[]): ToolDefinition[] {
  return tools
    .map(({ name, description, input }) => {
      // `$schema` is the same for all and costs tokens.
      const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input', override: dropMachineBounds });
      return { name, description, inputSchema };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What zod adds to every integer says nothing to a model. */
function dropMachineBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
