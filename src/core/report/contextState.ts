// What the agent did last, for the report. It is derived from the active generation whenever it is asked for and is
// never stored or sent, so it cannot go stale (design invariant 4).
import { summarizedArguments } from '../conversation/argumentSummary.ts';
import type { GenerationView } from '../conversation/generation.ts';
import type { ToolCallBlock } from '../conversation/message.ts';

const RECENT_CALLS = 3;

export interface RecentToolCall {
  name: string;
  /** Cut and without the workspace's own path, e.g. `path src/a.ts, offset 10`. */
  arguments: string;
}

export interface ContextState {
  /** The newest calls of the active generation, at most three, oldest first. */
  recentToolCalls: RecentToolCall[];
  /** Turns so far. */
  turnCount: number;
}

/** Shares nothing with the conversation. `roots`: absolute paths of the workspace folders. */
export function contextState(view: GenerationView, turnCount: number, roots: readonly string[]): ContextState {
  return {
    recentToolCalls: newestCalls(view).map(({ name, input }) => ({
      name,
      arguments: summarizedArguments(input, roots)
        .map((argument) => `${argument.name} ${argument.value}`)
        .join(', '),
    })),
    turnCount,
  };
}

function newestCalls({ retained, appended }: GenerationView): ToolCallBlock[] {
  const newest: ToolCallBlock[] = [];
  for (const messages of [appended, retained]) {
    for (let at = messages.length - 1; at >= 0 && newest.length < RECENT_CALLS; at--) {
      const message = messages[at];
      if (message?.role !== 'assistant') continue;
      newest.unshift(...message.blocks.filter((block) => block.type === 'tool_call'));
    }
  }
  return newest.slice(-RECENT_CALLS);
}
