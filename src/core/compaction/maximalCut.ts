// The planner's cut: one batch, as much as possible (design section 6.3).
import type { Message } from '../conversation/message.ts';
import type { PlannerName } from '../policy/policy.ts';
import { CARRY } from './carryOver.ts';
import { chunksOf } from './chunks.ts';
import { activeRequest, type Retention } from './retention.ts';
import { keptChunks } from './stages.ts';

export interface CutInput {
  policy: PlannerName;
  /** Tokens. */
  contextWindow: number;
  /** Tokens of the messages alone. */
  tokensOf(messages: readonly Message[]): number;
}

/** All before the current turn; of a turn that is too long for that, all before its last chunks. */
export function maximalCut(messages: readonly Message[], input: CutInput): Retention {
  const start = Math.min(turnOrChunks(messages, input), recallTail(messages, input));
  const [source, tail] = [messages.slice(0, start), messages.slice(start)];
  const inSource = new Set(source);
  const active = new Set<Message>(activeRequest(messages).filter((message) => inSource.has(message)));
  return { source, retained: [...active, ...tail], dropped: source.filter((message) => !active.has(message)) };
}

function turnOrChunks(messages: readonly Message[], { contextWindow, tokensOf }: CutInput): number {
  const [first] = activeRequest(messages);
  const turn = first ? messages.indexOf(first) : 0;
  const fits = turn > 0 && tokensOf(messages.slice(turn)) <= (contextWindow * CARRY.turnPercent) / 100;
  return fits ? turn : messages.length - chunksOf(messages).slice(-keptChunks('normal')).flat().length;
}

function recallTail(messages: readonly Message[], { policy, tokensOf }: CutInput): number {
  if (policy !== 'recall') return messages.length;
  let room: number = CARRY.recallTailTokens;
  let start = messages.length;
  for (const chunk of chunksOf(messages).toReversed()) {
    room -= tokensOf(chunk);
    if (room < 0) break;
    start -= chunk.length;
  }
  return start;
}
