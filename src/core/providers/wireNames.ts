// Names and ids that a conversation brings along from another provider, in the alphabet that a wire accepts. The
// mappings are pure, so a replayed request keeps its bytes, and leave names that are fine as they are.
import { createHash } from 'node:crypto';

const LONGEST_TOOL_NAME = 64;

/** Models invent tool names; one with a dot or a space in the history would have every later request refused. */
export function wireToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/gu, '_').slice(0, LONGEST_TOOL_NAME) || 'unnamed';
}

/** `functions.read:0` and the like, as some servers number calls; distinct ids stay distinct. */
export function plainCallId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/gu, (char) => `-${char.codePointAt(0)?.toString(16)}-`) || 'call';
}

/** Longer ids become a digest of themselves. `maxLength` in characters, at least 20. */
export function shortCallId(callId: string, maxLength: number): string {
  if (callId.length <= maxLength) return callId;
  const digest = createHash('sha256').update(callId).digest('hex');
  return `call_${digest}`.slice(0, maxLength);
}
