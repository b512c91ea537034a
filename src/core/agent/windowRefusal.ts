import { SMALLEST_WINDOW } from '../tokens/smallWindow.ts';
import type { AgentEvent } from './events.ts';
import type { ModelAccess } from './modelAccess.ts';

/** Why no request is sent to a model with so little room, for the user; undefined: there is enough. */
export function windowRefusal({ ref, capabilities }: ModelAccess): Extract<AgentEvent, { type: 'notice' }> | undefined {
  const { contextWindow } = capabilities;
  if (contextWindow >= SMALLEST_WINDOW) return undefined;
  const id = `${ref.provider}/${ref.model}`;
  return {
    type: 'notice',
    severity: 'error',
    message: `${id} has a context window of ${contextWindow.toLocaleString('en')} tokens. Steiner needs at least ${SMALLEST_WINDOW.toLocaleString('en')}, so nothing was sent.`,
    advice: `Choose a model with a larger window, then Retry. If the server gives this one more room, set its contextWindow under "${id}" in the setting steiner.models.`,
    action: 'select_model',
  };
}
