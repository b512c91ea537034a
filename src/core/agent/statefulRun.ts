// One turn with a provider that owns the transcript: what it is told of that transcript, and what its answers tell us.
import { fullWindowHealth } from '../compaction/escalation.ts';
import type { JsonValue } from '../conversation/backendState.ts';
import type { AssistantMessage } from '../conversation/message.ts';
import type { TokenUsage } from '../conversation/request.ts';
import type { Plan } from '../policy/policy.ts';
import { afterResponse, reachesCap, statefulPlan, type TranscriptLimits } from '../policy/statefulTrigger.ts';
import type { AgentEvent } from './events.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { ModelAnswer } from './modelCall.ts';
import type { SessionState } from './sessionState.ts';
import { windowIsFull } from './turnNotices.ts';

export class StatefulRun {
  readonly #state: SessionState;
  readonly #limits: TranscriptLimits;
  #capReached = false;

  private constructor(state: SessionState, limits: TranscriptLimits) {
    this.#state = state;
    this.#limits = limits;
  }

  /** Undefined: the provider keeps nothing between calls. `softThreshold`: tokens for a window of that size. */
  static of(
    state: SessionState,
    { ref, capabilities: { contextWindow, stateful } }: Pick<ModelAccess, 'ref' | 'capabilities'>,
    softThreshold: (contextWindow: number) => number,
  ): StatefulRun | undefined {
    if (!stateful) return undefined;
    return new StatefulRun(state, { model: ref, contextWindow, softThreshold: softThreshold(contextWindow) });
  }

  /**
   * Goes by the usage that the provider reported; `fits` is our estimate's word. `compactionCount`: stages in this turn.
   * Errors: ProviderError `too_long` when the window is full; a compaction would have no room either.
   */
  decide(fits: boolean, compactionCount: number, emit: (event: AgentEvent) => void): Plan {
    const { parentUsage } = this.#state;
    const plan = statefulPlan(parentUsage, { capReached: this.#capReached, fits }, this.#limits);
    if (plan.kind !== 'stop') return plan;
    emit({ type: 'session_health', ...fullWindowHealth(compactionCount) });
    throw windowIsFull(parentUsage?.promptTokens ?? 0, this.#limits.contextWindow, this.#limits.model);
  }

  /** For the next request of the conversation. */
  carried(): { backendState?: JsonValue } {
    const backendState = this.#state.backendState(this.#limits.model);
    return backendState === undefined ? {} : { backendState };
  }

  noteUsage({ input }: TokenUsage): void {
    this.#state.parentUsage = afterResponse(this.#state.parentUsage, input, this.#limits);
    if (reachesCap(input, this.#limits.contextWindow)) this.#capReached = true;
  }

  /** A new generation is a new transcript. */
  noteCompaction(): void {
    this.#capReached = false;
  }

  /** Takes over the provider's word that it holds the conversation, if the answer was stored as it was given. */
  async keep({ backendState, blocks }: ModelAnswer, stored: AssistantMessage): Promise<void> {
    if (backendState === undefined) return;
    const isAsGiven = blocks.length > 0 && JSON.stringify(blocks) === JSON.stringify(stored.blocks);
    if (isAsGiven) await this.#state.adoptBackendState(this.#limits.model, backendState);
    else await this.#state.retireBackendState();
  }
}
