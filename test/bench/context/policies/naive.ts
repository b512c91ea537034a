// The usual agent: never compacts, and marks the system, the previous tail and the tail.
import type { Breakpoint, ModelRequest } from '../../../../src/core/conversation/request.ts';
import type { BenchPolicy } from '../room.ts';

export function naivePolicy(): BenchPolicy {
  return { unbounded: true, makeRoom: async () => undefined, breakpoints: tailBreakpoints };
}

function tailBreakpoints({ system, messages }: ModelRequest, previous: readonly Breakpoint[]): Breakpoint[] {
  const last = messages.at(-1);
  const tail = { at: 'message' as const, message: messages.length - 1, block: (last?.content.length ?? 1) - 1 };
  const before = previous.at(-1);
  return [
    { at: 'system', block: system.length - 1, ttl: '5m' },
    ...(before?.at === 'message' ? [before] : []),
    { ...tail, ttl: '5m' },
  ];
}
