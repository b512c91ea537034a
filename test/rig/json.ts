// The little JSON handling the rig needs; the rig shares no code with src/.

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Every string of a JSON value, object keys included, with the path to it. */
export function* stringsOf(value: unknown, path = 'body'): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') {
    yield { path, text: value };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringsOf(item, `${path}.${index}`);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield { path: `${path} (key)`, text: key };
      yield* stringsOf(item, `${path}.${key}`);
    }
  }
}
