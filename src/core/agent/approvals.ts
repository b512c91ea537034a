// Questions to the user that hold up a tool call, and the answers that cover the rest of the session.
import type { ToolCallBlock } from '../conversation/message.ts';
import type { IdSource } from '../platform/ids.ts';
import type { ApprovalNeed } from '../tools/tool.ts';
import type { AgentEvent, ApprovalAnswer } from './events.ts';

export interface ApprovalDeps {
  ids: IdSource;
  emit(event: AgentEvent): void;
  /** Keys the user has allowed for this session. */
  isAllowed(sessionKey: string): boolean;
  /** Stores a key before the tool runs. */
  allow(sessionKey: string): Promise<void>;
}

interface Question {
  need: ApprovalNeed;
  everyTime: boolean;
  settle(answer: ApprovalAnswer): void;
}

export class Approvals {
  readonly #open = new Map<string, Question>();
  readonly #deps: ApprovalDeps;

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with whether the call may run; rejects with the signal's reason on abort. `everyTime`: an allowance for
   * the session does not count.
   */
  async ask(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal, everyTime: boolean): Promise<boolean> {
    signal.throwIfAborted();
    if (!everyTime && this.#deps.isAllowed(need.sessionKey)) return true;
    const answer = await this.#question(need, call, signal, everyTime);
    if (answer === 'session' && !everyTime) {
      await this.#deps.allow(need.sessionKey);
      // Siblings that were asked at the same time are covered too.
      for (const question of [...this.#open.values()]) {
        if (!question.everyTime && question.need.sessionKey === need.sessionKey) question.settle('once');
      }
    }
    return answer !== 'deny';
  }

  /** False: nobody waits for this id any more. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const question = this.#open.get(id);
    question?.settle(answer);
    return question !== undefined;
  }

  #question(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal, everyTime: boolean): Promise<ApprovalAnswer> {
    const id = this.#deps.ids('approval');
    return new Promise((resolve, reject) => {
      const close = (answer: ApprovalAnswer | 'cancelled') => {
        signal.removeEventListener('abort', onAbort);
        this.#open.delete(id);
        this.#deps.emit({ type: 'approval_resolved', id, answer });
      };
      const onAbort = () => {
        close('cancelled');
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const settle = (answer: ApprovalAnswer) => {
        close(answer);
        resolve(answer);
      };
      this.#open.set(id, { need, everyTime, settle });
      this.#deps.emit({
        type: 'approval_requested',
        request: { ...need, id, callId: call.callId, toolName: call.name },
      });
    });
  }
}
