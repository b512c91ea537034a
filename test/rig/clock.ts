// A clock that only moves when a test moves it.

interface Sleeper {
  wakeAt: number;
  wake: () => void;
}

/** Milliseconds since the Unix epoch, from a fixed start. `sleep` ends when `advance` passes its time. */
export class FakeClock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(startMs = Date.UTC(2026, 11, 1, 9, 0, 0)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  /** How many sleeps are waiting for `advance`. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves the time on by `ms` and wakes, in order of time, every sleep that is due. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.wakeAt <= this.#now).sort((a, b) => a.wakeAt - b.wakeAt);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wakeAt > this.#now);
    for (const sleeper of due) sleeper.wake();
  }

  /** Rejects with `signal.reason` as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sleeper: Sleeper = { wakeAt: this.#now + ms, wake: () => finish() };
      const onAbort = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const finish = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (ms <= 0) finish();
      else this.#sleepers.push(sleeper);
    });
  }
}
