// What is computed from a generation message by message, kept while the generation grows: a view that is longer than
// the one before costs only what was appended in between.
import type { Generation, GenerationView } from './generation.ts';
import type { Message } from './message.ts';
import type { Standing } from './projectMessage.ts';

interface RunningState {
  add(message: Message, standing: Standing): void;
}

/** The list that a view is the beginning of. It only grows. */
const growing = new WeakMap<GenerationView, { appended: readonly Message[]; length: number }>();

/**
 * A view of what `appended` holds now. The list itself goes on growing; it is copied only for those who look at the
 * view's messages and do not ask for a running state.
 */
export function growingView(
  generation: Generation,
  retained: readonly Message[],
  appended: readonly Message[],
): GenerationView {
  const { length } = appended;
  let copy: readonly Message[] | undefined;
  const view: GenerationView = Object.freeze({
    generation,
    retained,
    get appended() {
      copy ??= Object.freeze(appended.slice(0, length));
      return copy;
    },
  });
  growing.set(view, { appended, length });
  return view;
}

export class Running<State extends RunningState> {
  readonly #start: (generation: Generation) => State;
  readonly #kept = new WeakMap<readonly Message[], { state: State; length: number }>();

  constructor(start: (generation: Generation) => State) {
    this.#start = start;
  }

  /**
   * The state after all messages of the view. It goes on changing with later views: take from it what is needed now.
   * A view that no lineage gave, or one that is shorter than the one before, is computed from its beginning.
   */
  of(view: GenerationView): State {
    const source = growing.get(view);
    const known = source && this.#kept.get(source.appended);
    if (!source || (known && known.length > source.length)) return this.#fromScratch(view);
    const kept = known ?? { state: this.#afterRetained(view), length: 0 };
    this.#kept.set(source.appended, kept);
    for (; kept.length < source.length; kept.length++) {
      const message = source.appended[kept.length];
      if (message) kept.state.add(message, 'appended');
    }
    return kept.state;
  }

  #fromScratch(view: GenerationView): State {
    const state = this.#afterRetained(view);
    for (const message of view.appended) state.add(message, 'appended');
    return state;
  }

  #afterRetained({ generation, retained }: GenerationView): State {
    const state = this.#start(generation);
    for (const message of retained) state.add(message, 'retained');
    return state;
  }
}
