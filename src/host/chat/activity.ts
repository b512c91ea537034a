// What the agent is doing, derived from its events. No vscode import.
import type { AgentEvent } from '../../core/agent/events.ts';
import type { Activity } from '../../protocol.ts';

export class ActivityTracker {
  #busy: 'turn' | 'compaction' | undefined;
  #compacting = false;
  #retry: Extract<Activity, { kind: 'waiting_to_retry' }> | undefined;
  readonly #approvals = new Set<string>();
  readonly #tools = new Map<string, string>();
  #answering = false;

  get current(): Activity {
    if (this.#busy === undefined) return { kind: 'idle' };
    if (this.#retry) return this.#retry;
    if (this.#approvals.size > 0) return { kind: 'waiting_for_approval' };
    if (this.#compacting || this.#busy === 'compaction') return { kind: 'compacting' };
    const [running] = this.#tools.values();
    if (running !== undefined) return { kind: 'working', label: running };
    return { kind: 'working', label: this.#answering ? 'Writing' : 'Thinking' };
  }

  /** True: `current` may have changed. */
  apply(event: AgentEvent): boolean {
    switch (event.type) {
      case 'busy':
        this.#busy = event.what;
        return true;
      case 'idle':
        this.#busy = undefined;
        this.#compacting = false;
        this.#retry = undefined;
        this.#answering = false;
        this.#approvals.clear();
        this.#tools.clear();
        return true;
      case 'assistant_delta': {
        const before = this.#answering;
        this.#answering = event.block === 'text';
        return this.#answering !== before;
      }
      case 'assistant_started':
      case 'assistant_discarded':
      case 'assistant_message':
        this.#answering = false;
        // A stop during the wait ends the call without a resumption.
        this.#retry = undefined;
        return true;
      case 'tool_started':
        this.#tools.set(event.call.callId, `Running ${event.call.name}: ${event.title}`);
        return true;
      case 'tool_finished':
        return this.#tools.delete(event.message.callId);
      case 'approval_requested':
        this.#approvals.add(event.request.id);
        return true;
      case 'approval_resolved':
        return this.#approvals.delete(event.id);
      case 'retry_waiting': {
        const { reason, attempt, maxAttempts, untilMs } = event;
        this.#retry = { kind: 'waiting_to_retry', reason, attempt, maxAttempts, untilMs };
        return true;
      }
      case 'retry_resumed':
        this.#retry = undefined;
        return true;
      case 'compaction_started':
        this.#compacting = true;
        return true;
      case 'compaction_finished':
        this.#compacting = false;
        this.#retry = undefined;
        return true;
      default:
        return false;
    }
  }
}
