import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { StreamEvent } from '../provider.ts';

type Counts = Partial<
  Pick<Usage, 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens' | 'output_tokens'>
>;

/**
 * The usage of one answer, which comes in two parts: the prompt's tokens first, the answer's at the end, each part
 * cumulative and with gaps. The first part is reported too, so that a stopped answer still tells what it cost.
 */
export class UsageMeter {
  #counts: Counts = {};

  /** Nothing while the prompt counts zero: then the server does not count (case A5). */
  *add(usage: Usage | MessageDeltaUsage | null | undefined): Generator<StreamEvent> {
    for (const [key, value] of Object.entries(usage ?? {})) {
      if (typeof value === 'number') this.#counts = { ...this.#counts, [key]: value };
    }
    const {
      input_tokens = 0,
      output_tokens = 0,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
    } = this.#counts;
    // Anthropic's input_tokens are only those that the cache has no part in.
    const input = input_tokens + (written ?? 0) + (read ?? 0);
    if (input === 0) return;
    yield {
      type: 'usage',
      usage: {
        input,
        output: output_tokens,
        ...(typeof read === 'number' ? { cacheRead: read } : {}),
        ...(typeof written === 'number' ? { cacheWrite: written } : {}),
      },
    };
  }
}
