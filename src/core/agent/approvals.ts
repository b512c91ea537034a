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

export class Approvals {
  readonly #waiting = new Map<string, (answer: ApprovalAnswer) => void>();
  readonly #deps: ApprovalDeps;

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
  }

  get pending(): number {
    return this.#waiting.size;
  }

  /** Resolves with whether the call may run; rejects with the signal's reason on abort. */
  async ask(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal, everyTime: boolean): Promise<boolean> {
    signal.throwIfAborted();
    if (!everyTime && this.#deps.isAllowed(need.sessionKey)) return true;
    const id = this.#deps.ids('approval');
    const answer = await this.#wait(id, need, call, signal);
    if (answer === 'session') await this.#deps.allow(need.sessionKey);
    return answer !== 'deny';
  }

  /** False: nobody waits for this id any more. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const resolve = this.#waiting.get(id);
    if (!resolve) return false;
    resolve(answer);
    return true;
  }

  #wait(id: string, need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (answer: ApprovalAnswer | 'cancelled') => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        this.#deps.emit({ type: 'approval_resolved', id, answer });
      };
      const onAbort = () => {
        settle('cancelled');
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, (answer) => {
        settle(answer);
        resolve(answer);
      });
      this.#deps.emit({
        type: 'approval_requested',
        request: { ...need, id, callId: call.callId, toolName: call.name },
      });
    });
  }
}
