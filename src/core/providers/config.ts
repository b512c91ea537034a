import type { Clock } from '../platform/clock.ts';
import type { IdSource } from '../platform/ids.ts';

/** What a wire adapter is built from. A changed key or address makes a new adapter. */
export interface ProviderConfig {
  apiKey: string | undefined;
  /** Undefined: the vendor's own API. */
  baseUrl: string | undefined;
  fetch?: typeof fetch;
  ids: IdSource;
  /** For waits that a server names as a date; the system clock unless a test says otherwise. */
  clock?: Clock;
}

/** A list of models is asked for while the user looks at a picker. Milliseconds. */
export const LIST_TIMEOUT_MS = 15_000;
