// The arguments of a tool call as they were streamed. Only complete JSON objects are ever run (case A4 d/e): a
// prefix is never repaired, because a file written from half its content is worse than an error.
import { healedValue } from '../conversation/healedValue.ts';
import type { StopReason } from '../conversation/message.ts';

interface ParsedArguments {
  input: unknown;
  problem?: string;
}

/**
 * Undefined: not a JSON object. Escapes such as `\ud83d` alone become lone surrogates when parsed; no request may hold
 * one (design invariant 7), so they are healed.
 */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (healedValue(value) as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Judges arguments once the answer has ended for `stopReason`. No text at all means no arguments. */
export function judgeArguments(json: string, stopReason: StopReason): ParsedArguments {
  const cut = stopReason === 'max_tokens' || stopReason === 'context_exceeded';
  const input = json.trim() === '' ? (cut ? undefined : {}) : parseObject(json);
  if (input) return { input };
  if (cut) {
    const limit = stopReason === 'max_tokens' ? 'the output limit was reached' : 'the context window was full';
    return { input: {}, problem: `The arguments of this call were cut off because ${limit}.` };
  }
  const problem = isJson(json)
    ? 'The arguments of this call are not a JSON object.'
    : 'The arguments of this call are not valid JSON: they were cut off or are malformed.';
  return { input: {}, problem };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
