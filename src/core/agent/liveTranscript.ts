// The transcript that a stateful provider holds of the conversation, as the summaries of one compaction use it: asked in
// place, a summary becomes a part of it, so the provider may give it up for the conversation.
import type { JsonValue } from '../conversation/backendState.ts';
import { hideBackendStateRetirement, markBackendStateRetired } from '../providers/backendStateRetirement.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { SessionState } from './sessionState.ts';

export class LiveTranscript {
  readonly #state: SessionState;
  readonly #access: ModelAccess;
  #cleared = false;

  constructor(state: SessionState, access: ModelAccess) {
    this.#state = state;
    this.#access = access;
  }

  /** A summary gave the transcript up, whatever became of the summary. */
  get cleared(): boolean {
    return this.#cleared;
  }

  /** Of the request for a summary of that generation. Empty: the transcript holds something else. */
  carried(generation: number | undefined): { backendState?: JsonValue } {
    if (!this.#access.capabilities.stateful || generation !== this.#state.lineage.active.id) return {};
    const backendState = this.#state.backendState(this.#access.ref);
    return backendState === undefined ? {} : { backendState };
  }

  /** Drops the active generation's state and nothing else. */
  async drop(): Promise<void> {
    this.#cleared = true;
    await this.#state.retireBackendState();
  }

  /** The same error, marked if the transcript was given up before it. */
  marked(error: unknown): unknown {
    if (this.#cleared) markBackendStateRetired(error);
    return error;
  }
}

/** What the call of another model says about a transcript of its own concerns nobody else. */
export async function withHiddenRetirement<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    hideBackendStateRetirement(error);
    throw error;
  }
}
