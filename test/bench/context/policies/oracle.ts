// Knows every later reference and drops whatever none of them needs, as soon as half the rent for it outweighs the
// price of dropping it or the window is full; no summary is paid. An optimistic bound, not a policy that could exist.
import type { Message } from '../../../../src/core/conversation/message.ts';
import type { BenchPolicy, Room } from '../room.ts';
import { keeping } from '../truncation.ts';

/** Against the other reading, twice the rent, the bound is lower on all groups. */
const MARGIN = 0.5;

export function oraclePolicy(): BenchPolicy {
  let rent = 0;
  return {
    omniscient: true,
    makeRoom: async (room) => {
      const { lineage, prices, capabilities } = room;
      const { retained, appended } = lineage.view();
      const messages = [...retained, ...appended];
      const kept = neededMessages(messages, room);
      if (kept.length === messages.length) return;
      const generation = keeping(lineage, kept, room.now);
      const tokensOf = (some: Message[]) => room.estimateView({ generation, retained: some, appended: [] });
      const untouched = kept.slice(
        0,
        messages.findIndex((message, index) => message !== kept[index]),
      );
      const after = tokensOf(kept);
      const now = room.estimate(room.request());
      rent += prices.read * (now - after);
      const isFull = now + capabilities.maxOutputTokens > capabilities.contextWindow;
      if (!isFull && MARGIN * rent < (prices.write - prices.read) * (after - tokensOf(untouched))) return;
      lineage.addGeneration(generation);
      rent = 0;
    },
  };
}

/** What the user said, the last step, and every call with a result that is the newest holder of a later reference. */
function neededMessages(messages: readonly Message[], { ahead }: Room): Message[] {
  const telling = ahead.flat().filter(({ kind }) => kind !== 'path');
  const needed = new Set(telling.flatMap(({ holders }) => holders.at(-1) ?? []));
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.filter((message, index) => {
    if (message.role === 'user' || index >= last) return true;
    if (message.role === 'tool') return needed.has(message.callId);
    return message.blocks.some((block) => block.type === 'tool_call' && needed.has(block.callId));
  });
}
