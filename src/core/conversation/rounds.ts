// The conversation cut before each assistant message: what was said between two answers belongs together on the wire.
import type { GenerationView } from './generation.ts';
import type { AssistantMessage, ToolCallBlock, ToolMessage, UserMessage } from './message.ts';
import type { Standing } from './projectMessage.ts';

export interface AnsweredCall {
  call: ToolCallBlock;
  /** Undefined: no result was stored before the next answer. */
  result: ToolMessage | undefined;
}

/** An assistant message and what followed it. The first round of a view may have no assistant message. */
export interface Round {
  assistant?: { message: AssistantMessage; standing: Standing };
  /** In call order, whatever the order in which the results came in (case A3). */
  calls: AnsweredCall[];
  users: { message: UserMessage; standing: Standing }[];
}

/** Results that answer no call of their round are left out: a provider refuses them (rule R1). */
export function roundsOf(view: GenerationView): Round[] {
  let current: Round = { calls: [], users: [] };
  const rounds = [current];
  const take = (message: GenerationView['appended'][number], standing: Standing) => {
    switch (message.role) {
      case 'assistant':
        current = { assistant: { message, standing }, calls: openCalls(message), users: [] };
        rounds.push(current);
        break;
      case 'user':
        current.users.push({ message, standing });
        break;
      case 'tool': {
        const open = current.calls.find(({ call, result }) => call.callId === message.callId && !result);
        if (open) open.result = message;
      }
    }
  };
  for (const message of view.retained) take(message, 'retained');
  for (const message of view.appended) take(message, 'appended');
  return rounds;
}

function openCalls(message: AssistantMessage): AnsweredCall[] {
  return message.blocks.flatMap((block) => (block.type === 'tool_call' ? [{ call: block, result: undefined }] : []));
}
