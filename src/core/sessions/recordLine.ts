// One record as one line of the log: JSON without line breaks. The check on reading is light: enough to know that the
// line is what it says, so that replay never meets a missing field.
import { wellFormed } from '../platform/text.ts';
import type { SessionRecord } from './records.ts';

export type ParsedLine = { record: SessionRecord } | { problem: string };

/** JSON.stringify escapes a lone surrogate, and nothing but a lone surrogate, this way. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** The record's line with its line feed. Lone surrogates are replaced (design invariant 7). */
export function recordLine(record: SessionRecord): string {
  const json = JSON.stringify(record);
  return `${SURROGATE_ESCAPE.test(json) ? JSON.stringify(record, healString) : json}\n`;
}

/** Never throws. A session stored with a lone surrogate is healed here (case A17). */
export function parseRecordLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line, SURROGATE_ESCAPE.test(line) ? healString : undefined);
  } catch {
    return { problem: 'not JSON' };
  }
  if (!isObject(value)) return { problem: 'not an object' };
  const check = typeof value.type === 'string' && Object.hasOwn(checks, value.type) ? value.type : undefined;
  if (check === undefined) return { problem: `unknown record type ${JSON.stringify(value.type)}` };
  return checks[check as SessionRecord['type']](value)
    ? { record: value as unknown as SessionRecord }
    : { problem: `incomplete ${check} record` };
}

type Fields = Record<string, unknown>;

const checks: Record<SessionRecord['type'], (record: Fields) => boolean> = {
  session: (r) => isNumber(r.format) && isString(r.id) && isNumber(r.at) && Array.isArray(r.roots),
  message: ({ message }) => isObject(message) && isMessage(message),
  generation: ({ generation }) =>
    isObject(generation) &&
    isNumber(generation.id) &&
    isString(generation.kind) &&
    isNumber(generation.at) &&
    isObject(generation.head) &&
    Array.isArray(generation.head.system) &&
    Array.isArray(generation.head.tools) &&
    Array.isArray(generation.carried) &&
    Array.isArray(generation.retained),
  title: (r) => isString(r.title),
  settings: ({ settings }) =>
    isObject(settings) &&
    isModelRef(settings.model) &&
    isString(settings.mode) &&
    Array.isArray(settings.enabledSkills) &&
    Array.isArray(settings.approvals),
  usage: ({ usage }) =>
    isObject(usage) &&
    isModelRef(usage.model) &&
    isNumber(usage.rawEstimate) &&
    isObject(usage.usage) &&
    isNumber(usage.usage.input) &&
    isNumber(usage.usage.output),
  archive_pending: (r) => isNumber(r.generationId) && isString(r.markdown),
  archive_done: (r) => isNumber(r.generationId),
  backend_state: ({ state }) =>
    isObject(state) &&
    isNumber(state.generation) &&
    isModelRef(state.model) &&
    isString(state.answer) &&
    isNumber(state.messages) &&
    state.value !== undefined,
  backend_state_retired: (r) => isNumber(r.generation),
  turn_ended: (r) => isNumber(r.turn) && isNumber(r.at) && isString(r.end),
};

function isMessage(message: Fields): boolean {
  if (!isString(message.id) || !isNumber(message.at) || !isNumber(message.turn)) return false;
  switch (message.role) {
    case 'user':
      return Array.isArray(message.parts);
    case 'assistant':
      return Array.isArray(message.blocks) && isModelRef(message.model);
    case 'tool':
      return isString(message.callId) && isString(message.name) && isString(message.content);
    default:
      return false;
  }
}

function isModelRef(value: unknown): boolean {
  return isObject(value) && isString(value.provider) && isString(value.model);
}

function healString(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? wellFormed(value) : value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
