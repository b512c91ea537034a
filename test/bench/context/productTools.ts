// Calls of other agents' tools as the product's own tools would have made them: the ledger and the carried file reads know
// only those.
import type { ToolDetail } from '../../../src/core/conversation/message.ts';
import type { TraceCall } from './trace.ts';

const NAMES: Record<string, string> = {
  view: 'read',
  str_replace: 'edit',
  insert: 'edit',
  create: 'write',
  ls: 'list',
};
const OWN = ['read', 'edit', 'write', 'bash', 'glob', 'grep', 'list'];

export interface ProductCall {
  name: string;
  input: unknown;
  detail: ToolDetail;
}

const known = new WeakMap<TraceCall, ProductCall>();

export function productCall(call: TraceCall): ProductCall {
  const made = known.get(call) ?? translated(call);
  known.set(call, made);
  return made;
}

function translated({ name, input }: TraceCall): ProductCall {
  const values: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : { value: input };
  const lower = name.toLowerCase();
  const verb = lower === 'str_replace_editor' && typeof values.command === 'string' ? values.command : lower;
  const own = NAMES[verb] ?? verb;
  const path = [values.path, values.file_path, values.notebook_path].find((each) => typeof each === 'string');
  const title = path ?? (typeof values.command === 'string' ? values.command : undefined);
  const named = OWN.includes(own) ? own : name;
  return {
    name: named,
    input: typeof path === 'string' && values.path === undefined ? { path, ...values } : values,
    detail: {
      ...(typeof path === 'string' ? { path } : {}),
      ...(typeof title === 'string' ? { title } : {}),
    },
  };
}
