// What a provider that owns the transcript needs to go on with it. It belongs to one generation: a new generation says
// something else than the provider holds, so it begins without one (seed heading "Compaction").
import type { GenerationView } from './generation.ts';
import type { ModelRef } from './request.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface BackendState {
  /** Id of the generation whose conversation the provider holds. */
  generation: number;
  model: ModelRef;
  /** Id of the last answer that the provider holds. */
  answer: string;
  /** Messages of the generation up to that answer, with it. */
  messages: number;
  /** The provider's own; nobody else reads it. */
  value: JsonValue;
}

/**
 * The state, if it is the active generation's and the conversation up to its answer is whole; otherwise the provider
 * holds something else than we do (an older generation, a log that lost a message), and the transcript goes out whole.
 */
export function standingBackendState(
  state: BackendState | undefined,
  { generation, retained, appended }: GenerationView,
): BackendState | undefined {
  if (state?.generation !== generation.id) return undefined;
  const place = state.messages - 1;
  const answer = place < retained.length ? retained[place] : appended[place - retained.length];
  return answer?.id === state.answer ? state : undefined;
}
