// What is computed from a generation message by message, kept while the generation grows: a view that is longer than
// the one before costs only what was appended in between.
import type { Generation, GenerationView } from './generation.ts';
import type { Message } from './message.ts';
import type { Standing } from './projectMessage.ts';

interface RunningState {
  add(message: Message, standing: Standing): void;
}

/** The views of one generation of a lineage; each is the beginning of the later ones. */
const sources = new WeakMap<GenerationView, object>();

/** Says that `view` grows: among the views of the same `source` each is the beginning of the later ones. */
export function growingView(view: GenerationView, source: object): GenerationView {
  sources.set(view, source);
  return view;
}

export class Running<State extends RunningState> {
  readonly #start: (generation: Generation) => State;
  readonly #kept = new WeakMap<object, { state: State; appended: number }>();

  constructor(start: (generation: Generation) => State) {
    this.#start = start;
  }

  /**
   * The state after all messages of the view. It goes on changing with later views: take from it what is needed now.
   * A view that no lineage gave, or one that is shorter than the one before, is computed from its beginning.
   */
  of(view: GenerationView): State {
    const source = sources.get(view);
    const known = source && this.#kept.get(source);
    if (!known || known.appended > view.appended.length) {
      const state = this.#start(view.generation);
      for (const message of view.retained) state.add(message, 'retained');
      for (const message of view.appended) state.add(message, 'appended');
      if (source && !known) this.#kept.set(source, { state, appended: view.appended.length });
      return state;
    }
    for (let next = view.appended[known.appended]; next; next = view.appended[known.appended]) {
      known.state.add(next, 'appended');
      known.appended += 1;
    }
    return known.state;
  }
}
