import type { ModelRequest } from '../conversation/request.ts';
import type { IdSource } from '../platform/ids.ts';

/**
 * Gives every tool call of one answer an id that no other call of the conversation has (case A5: servers send the
 * same id twice in a turn, in every turn, or none at all).
 */
export class CallIds {
  readonly #taken: Set<string>;
  readonly #ids: IdSource;

  constructor(request: ModelRequest, ids: IdSource) {
    this.#ids = ids;
    this.#taken = new Set(
      request.messages.flatMap((message) =>
        message.content.flatMap((block) =>
          block.type === 'tool_call' || block.type === 'tool_result' ? [block.callId] : [],
        ),
      ),
    );
  }

  /** The provider's own id where it is usable and free, else one of ours. */
  claim(own: string | null | undefined): string {
    let id = own?.trim() ?? '';
    while (id === '' || this.#taken.has(id)) id = this.#ids('call');
    this.#taken.add(id);
    return id;
  }
}
