/**
 * Milliseconds the server asked us to wait, from `retry-after-ms` (milliseconds) or `retry-after` (seconds or an
 * HTTP date). `nowMs` is only used when the response does not say its own time. Undefined: it asked for nothing.
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const inMs = number(headers?.get('retry-after-ms'));
  if (inMs !== undefined) return inMs;
  const header = headers?.get('retry-after');
  const inSeconds = number(header);
  if (inSeconds !== undefined) return inSeconds * 1000;
  // Date.parse takes almost anything; an HTTP date begins with a weekday and holds a time.
  const until = /^[a-z]{3}.*\d:\d/i.test(header ?? '') ? Date.parse(header ?? '') : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  // Both dates are the server's, so a wrong clock on either side does not change the wait.
  const serverNow = Date.parse(headers?.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(serverNow) ? nowMs : serverNow));
}

function number(text: string | null | undefined): number | undefined {
  if (!text?.trim()) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
