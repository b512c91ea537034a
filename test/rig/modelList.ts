// The list of models (GET /v1/models) in each wire's shape.
import type { JsonRecord } from './json.ts';
import type { Wire } from './prompt.ts';
import type { RigModel } from './settings.ts';

export function modelList(models: RigModel[], wire: Wire): JsonRecord {
  const listed = models.filter((model) => model.wire === wire);
  if (wire === 'openai')
    return {
      object: 'list',
      data: listed.map(({ id }) => ({ id, object: 'model', created: 1_796_000_000, owned_by: 'rig' })),
    };
  return {
    data: listed.map(({ id, window, maxOutput }) => ({
      id,
      type: 'model',
      display_name: id,
      created_at: '2026-10-21T00:00:00Z',
      deprecated_at: null,
      lifecycle: 'active',
      line: null,
      retires_at: null,
      max_input_tokens: window,
      max_tokens: maxOutput,
      capabilities: null,
    })),
    has_more: false,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
  };
}
