const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that ends on a code point boundary. */
export function clipUtf8(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return '';
  // A UTF-16 unit takes at most 3 UTF-8 bytes, so short strings need no encoding.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/**
 * At most `maxBytes` of UTF-8 text from the byte `offset` on, and where it begins and ends; both ends are moved to the
 * start of their code point, so pages put together give the whole. At least one code point unless the text ends.
 */
export function utf8Page(
  bytes: Uint8Array,
  offset: number,
  maxBytes: number,
): { text: string; start: number; end: number } {
  const start = pointStart(bytes, Math.min(offset, bytes.length));
  let end = pointStart(bytes, Math.min(start + maxBytes, bytes.length));
  if (end === start) for (end = Math.min(start + 1, bytes.length); isContinuation(bytes[end]); ) end += 1;
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)), start, end };
}

function pointStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The longest prefix of at most `maxUnits` UTF-16 units that does not split a surrogate pair. */
export function clipUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const end = isHighSurrogate(text.charCodeAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits;
  return text.slice(0, Math.max(0, end));
}

/** The longest suffix of at most `maxUnits` UTF-16 units that does not split a surrogate pair. */
export function clipUnitsFromEnd(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const start = text.length - maxUnits;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** Replaces every lone surrogate by U+FFFD, so that the text is well-formed Unicode (design invariant 7). */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

export function codePointCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at = nextPoint(text, at);
  return count;
}

/** The UTF-16 index at which the code point number `count` (from 0) begins; the text's length when it has fewer. */
export function codePointIndex(text: string, count: number): number {
  let at = 0;
  for (let passed = 0; passed < count && at < text.length; passed++) at = nextPoint(text, at);
  return at;
}

function nextPoint(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
