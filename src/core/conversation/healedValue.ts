import { wellFormed } from '../platform/text.ts';

/** A JSON value without lone surrogates in its strings and keys; the very same value when there is nothing to heal. */
export function healedValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) {
    const items = value.map(healedValue);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown, boolean] => {
    const healed = [wellFormed(key), healedValue(item)] as const;
    return [...healed, healed[0] !== key || healed[1] !== item];
  });
  return entries.some(([, , changed]) => changed)
    ? Object.fromEntries(entries.map(([key, item]) => [key, item]))
    : value;
}
