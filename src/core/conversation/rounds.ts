// The conversation cut before each assistant message: what was said between two answers belongs together on the wire.
import type { GenerationView } from './generation.ts';
import type { AssistantMessage, Message, ToolCallBlock, ToolMessage, UserMessage } from './message.ts';
import type { Standing } from './projectMessage.ts';
import { Running } from './running.ts';

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

/** The round that a conversation has come to, message by message. Only an assistant message ends it. */
export class OpenRound {
  #round: Round = { calls: [], users: [] };

  get current(): Round {
    return this.#round;
  }

  /** Results that answer no call of their round are left out: a provider refuses them (rule R1). */
  add(message: Message, standing: Standing): void {
    switch (message.role) {
      case 'assistant':
        this.#round = { assistant: { message, standing }, calls: openCalls(message), users: [] };
        break;
      case 'user':
        this.#round.users.push({ message, standing });
        break;
      case 'tool': {
        const open = this.#round.calls.find(({ call, result }) => call.callId === message.callId && !result);
        if (open) open.result = message;
      }
    }
  }
}

const openRound = new Running(() => new OpenRound());

/** The round that the view has come to. It goes on changing with later views. */
export function lastRound(view: GenerationView): Round {
  return openRound.of(view).current;
}

function openCalls(message: AssistantMessage): AnsweredCall[] {
  return message.blocks.flatMap((block) => (block.type === 'tool_call' ? [{ call: block, result: undefined }] : []));
}
