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
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();
  readonly #deps: ApprovalDeps;
  /** Ends when all earlier questions are answered: the user sees one at a time, in call order. */
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with whether the call may run; rejects with the signal's reason on abort. `everyTime`: an allowance for
   * the session does not count.
   */
  ask(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal, everyTime: boolean): Promise<boolean> {
    const answered = this.#earlier.then(() => this.#askNow(need, call, signal, everyTime));
    this.#earlier = answered.catch(() => undefined);
    return answered;
  }

  /** False: nobody waits for this id any more. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const settle = this.#open.get(id);
    settle?.(answer);
    return settle !== undefined;
  }

  async #askNow(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal, everyTime: boolean): Promise<boolean> {
    signal.throwIfAborted();
    // Checked only now: the answer to an earlier question may cover this one.
    if (!everyTime && this.#deps.isAllowed(need.sessionKey)) return true;
    const answer = await this.#question(need, call, signal);
    if (answer === 'session' && !everyTime) await this.#deps.allow(need.sessionKey);
    return answer !== 'deny';
  }

  #question(need: ApprovalNeed, call: ToolCallBlock, signal: AbortSignal): Promise<ApprovalAnswer> {
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
      this.#open.set(id, (answer) => {
        close(answer);
        resolve(answer);
      });
      this.#deps.emit({
        type: 'approval_requested',
        request: { ...need, id, callId: call.callId, toolName: call.name },
      });
    });
  }
}
