// Values that are shared instead of copied: frozen to their last part, so that no holder can change what the others see.

/** The same value, frozen with all that it holds. For plain data without cycles. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}

/** Nothing that is reached from the value can be changed. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}
