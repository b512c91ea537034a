// Figures of one conversation length. Times are milliseconds, memory is bytes of heap after a collection.
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { SessionRecord } from '../../../src/core/sessions/records.ts';
import { replayConversation } from '../../../src/core/sessions/replay.ts';
import { textCounter } from '../../../src/core/tokens/countText.ts';
import { tokenizerFamily } from '../../../src/core/tokens/family.ts';
import { o200k } from '../../../src/core/tokens/o200k.ts';
import { conversation, head, messageAt } from './longConversation.ts';
import { BenchedConversation, PHASES, type Phase, type Times } from './modelCall.ts';

export interface CoreFigures {
  /** Messages of the conversation when the measured calls began. */
  messages: number;
  /** Feeding the stored records to an empty lineage. */
  openMs: number;
  /** The first model call after that: everything is new to it. */
  firstCallMs: number;
  /** A call with one message more than the call before. */
  callMs: { least: number; median: number; phases: Record<Phase, number> };
  /** The stored conversation itself, its records included. */
  conversationBytes: number;
  /** What the first call leaves behind on top of it. */
  derivedBytes: number;
  /** What each later call leaves behind, its message included. */
  callBytes: number;
}

const WARM_UP_CALLS = 40;

/** `calls`: how many are measured. Errors: TokenizerLoadError. */
export async function measure(messages: number, calls: number): Promise<CoreFigures> {
  await o200k.load();
  textCounter(tokenizerFamily(head.model)).count('warm');
  const empty = heapBytes();
  const stored = conversation(messages);
  const records: SessionRecord[] = [
    { type: 'generation', generation: { id: 1, kind: 'start', at: 0, head, carried: [], retained: [] } },
    ...stored.map((message): SessionRecord => ({ type: 'message', message })),
  ];
  const openFrom = performance.now();
  const lineage = new Lineage();
  if (replayConversation(records, lineage) > 0) throw new Error('Records were passed over');
  const openMs = performance.now() - openFrom;
  const opened = heapBytes();

  const bench = new BenchedConversation(lineage);
  let next = messages;
  const callOnce = () => bench.call(messageAt(next++));
  const firstCallMs = totalOf(callOnce());
  const afterFirst = heapBytes();
  for (let call = 0; call < WARM_UP_CALLS; call++) callOnce();
  const beforeCalls = heapBytes();
  const times = Array.from({ length: calls }, callOnce);
  const afterCalls = heapBytes();
  const totals = times.map(totalOf).toSorted((a, b) => a - b);
  return {
    messages,
    openMs,
    firstCallMs,
    callMs: { least: totals[0] ?? 0, median: middle(totals), phases: medians(times) },
    conversationBytes: opened - empty,
    derivedBytes: afterFirst - opened,
    callBytes: Math.round((afterCalls - beforeCalls) / calls),
  };
}

export function totalOf(times: Times): number {
  return PHASES.reduce((sum, phase) => sum + times[phase], 0);
}

function medians(times: readonly Times[]): Record<Phase, number> {
  const entries = PHASES.map((phase): [Phase, number] => [
    phase,
    middle(times.map((each) => each[phase]).toSorted((a, b) => a - b)),
  ]);
  return Object.fromEntries(entries) as Record<Phase, number>;
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Exact only where the process was started with --expose-gc. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
