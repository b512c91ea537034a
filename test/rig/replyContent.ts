// What both wires need to know of a scripted reply.
import { byteLength } from './json.ts';
import type { Part, Reply, StopReason } from './script.ts';

export type Call = Extract<Part, { kind: 'call' }>;

/** Tokens by the rig's rule, at least 1. */
export function outputTokens(reply: Reply, tokensPerByte: number): number {
  const tokens = reply.parts.reduce((sum, part) => sum + Math.ceil(byteLength(partText(part)) * tokensPerByte), 0);
  return Math.max(1, tokens);
}

export function stopReason(reply: Reply): StopReason {
  return reply.stopReason ?? (reply.parts.some((part) => part.kind === 'call') ? 'tool_use' : 'end_turn');
}

/** The JSON text of the arguments in the pieces in which it is streamed, never cutting a code point. */
export function argumentFragments(call: Call): string[] {
  if (call.fragments) return call.fragments;
  const characters = Array.from(JSON.stringify(call.input));
  const size = Math.max(16, Math.ceil(characters.length / 8));
  const fragments: string[] = [];
  for (let at = 0; at < characters.length; at += size) fragments.push(characters.slice(at, at + size).join(''));
  return fragments;
}

/** All text of the reply, to know what the model itself said. */
export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return part.pieces.join('');
    case 'redacted':
      return part.hidden;
    case 'call':
      return `${part.name}${argumentFragments(part).join('')}`;
    case 'pause':
      return '';
  }
}
