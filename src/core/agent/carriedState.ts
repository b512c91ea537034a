// The backend state that one model call carries, until the provider says that what it names is gone. It says so in three
// ways, since a call that fails or is stopped can lose any of them: an event, a signal, a mark on its error.
import type { ModelRequest } from '../conversation/request.ts';
import { isBackendStateRetired, markBackendStateRetired } from '../providers/backendStateRetirement.ts';
import { ProviderError, type StreamObserver } from '../providers/provider.ts';

export class CarriedState implements StreamObserver {
  readonly #drop: () => Promise<void>;
  #request: ModelRequest;
  #retired = false;
  #dropped = false;

  /** `drop`: forgets the state for good. */
  constructor(request: ModelRequest, drop: () => Promise<void>) {
    this.#request = request;
    this.#drop = drop;
  }

  /** With the state while it stands, afterwards without: then the whole transcript goes out. */
  get request(): ModelRequest {
    return this.#request;
  }

  backendStateRetired(): void {
    this.#retired = true;
  }

  /** Drops what was given up since the last time. Errors: those of `drop`. */
  async settle(): Promise<void> {
    if (!this.#retired || this.#dropped) return;
    this.#dropped = true;
    const { backendState: _, ...request } = this.#request;
    this.#request = request;
    await this.#drop();
  }

  /**
   * An attempt has failed; its error is marked if the state is gone. True: the provider no longer knew the transcript and
   * has done nothing, so the same call can be made at once with all of it. Errors: those of `drop`.
   */
  async failed(error: unknown): Promise<boolean> {
    const isLost =
      error instanceof ProviderError && error.kind === 'state_lost' && this.#request.backendState !== undefined;
    if (isLost || isBackendStateRetired(error)) this.backendStateRetired();
    await this.settle();
    if (this.#retired) markBackendStateRetired(error);
    return isLost;
  }
}
