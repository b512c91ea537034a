// Prices in units of one uncached input token, as far as they follow from the kind of cache alone.

/** All in units of one uncached input token. */
export interface RelativePrices {
  /** Input read from the cache. */
  read: number;
  /** Input that is new to the cache. */
  write: number;
  output: number;
}

const BY_CACHE: Record<'explicit' | 'automatic' | 'none', RelativePrices> = {
  explicit: { read: 0.1, write: 1.25, output: 5 },
  automatic: { read: 0.1, write: 1, output: 8 },
  none: { read: 1, write: 1, output: 5 },
};

/** What the vendors mostly charge where a cache of that kind is billed (design section 6, point 1). */
export function usualPrices(cache: keyof typeof BY_CACHE): RelativePrices {
  return BY_CACHE[cache];
}
