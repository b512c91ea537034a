// When and how long to wait before the same model call is tried again. The SDKs' own retries are off (case A6).
import type { ProviderError, ProviderErrorKind } from '../providers/provider.ts';

/** Attempts of one model call, the first included. A cut stream is repeated once: its text may have cost money. */
const MAX_ATTEMPTS: Partial<Record<ProviderErrorKind, number>> = {
  rate_limit: 6,
  overloaded: 6,
  server: 4,
  unreachable: 3,
  cut: 2,
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_OWN_WAIT_MS = 30_000;
/** A server may ask for more than this; then the user decides, not a timer. */
const LONGEST_SERVER_WAIT_MS = 10 * 60_000;

export interface RetryPlan {
  /** Milliseconds; never less than what the server asked for. */
  waitMs: number;
  /** Number of the attempt that follows the wait, 2 or more. */
  attempt: number;
  maxAttempts: number;
}

/** Undefined: do not try again. `attempt` is the number of the attempt that just failed, from 1. */
export function planRetry(error: ProviderError, attempt: number, random: () => number): RetryPlan | undefined {
  const maxAttempts = error.retryable ? (MAX_ATTEMPTS[error.kind] ?? 1) : 1;
  if (attempt >= maxAttempts) return undefined;
  const asked = error.retryAfterMs ?? 0;
  if (asked > LONGEST_SERVER_WAIT_MS) return undefined;
  const own = Math.min(LONGEST_OWN_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  // Jitter only adds, so that a wait named by the server is never cut short.
  const waitMs = Math.round(Math.max(asked, own) + random() * 0.2 * own);
  return { waitMs, attempt: attempt + 1, maxAttempts };
}
