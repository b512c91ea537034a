// Bytes of a text file and back: byte order mark, UTF-16 and line endings stay as they were (case A18).
import { wellFormed } from '../platform/text.ts';

export type TextEncoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be';

export interface TextFile {
  /** Without the byte order mark; line endings as in the file. */
  text: string;
  encoding: TextEncoding;
  /** `encodeText` gives the same bytes back. Otherwise the text is good for reading only. */
  isExact: boolean;
}

/** Bytes looked at to tell text from binary data. */
const SNIFF_BYTES = 8_192;

/** Undefined: the bytes are not text. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const [a, b, c] = bytes;
  const mark = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  if (a === 0xff && b === 0xfe) return decodeUtf16(bytes, 'utf16le');
  if (a === 0xfe && b === 0xff) return decodeUtf16(bytes, 'utf16be');
  if (isBinary(bytes.subarray(0, SNIFF_BYTES))) return undefined;
  const encoding = mark > 0 ? 'utf8-bom' : 'utf8';
  const body = bytes.subarray(mark);
  const exact = decode('utf-8', body, true);
  if (exact !== undefined) return { text: exact, encoding, isExact: true };
  const lossy = decode('utf-8', body, false) ?? '';
  // A few broken bytes are shown as such; many mean an older encoding, whose letters are mostly right this way.
  const text = isGarbled(lossy.slice(0, SNIFF_BYTES)) ? (decode('windows-1252', body, false) ?? lossy) : lossy;
  return { text, encoding, isExact: false };
}

/** Lone surrogates become U+FFFD: no file encoding has them. */
export function encodeText({ text, encoding }: Pick<TextFile, 'text' | 'encoding'>): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8-bom':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`\ufeff${wellFormed(text)}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\ufeff${wellFormed(text)}`, 'utf16le').swap16();
  }
}

/** The ending most line breaks have; undefined for a text without any. */
export function lineEndingOf(text: string): '\n' | '\r\n' | undefined {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  if (crlf + lf === 0) return undefined;
  return crlf > lf ? '\r\n' : '\n';
}

/** What kind of file the bytes are, from their first ones: for the message that refuses to read them. */
export function binaryKind(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  const known: [string, string][] = [
    ['\x89PNG', 'a PNG image'],
    ['\xff\xd8\xff', 'a JPEG image'],
    ['GIF8', 'a GIF image'],
    ['%PDF', 'a PDF document'],
    ['PK\x03\x04', 'a ZIP archive'],
    ['\x1f\x8b', 'a gzip archive'],
    ['\x7fELF', 'an ELF executable'],
    ['MZ', 'a Windows executable'],
  ];
  return known.find(([magic]) => head.startsWith(magic))?.[1] ?? 'binary data';
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf16le' | 'utf16be'): TextFile | undefined {
  const label = encoding === 'utf16le' ? 'utf-16le' : 'utf-16be';
  const exact = decode(label, bytes.subarray(2), true);
  const text = exact ?? decode(label, bytes.subarray(2), false) ?? '';
  // No text holds U+0000; UTF-32 and binary data that happen to begin like a byte order mark do.
  return text.includes('\0') ? undefined : { text, encoding, isExact: exact !== undefined };
}

/** Undefined: `fatal` is set and the bytes are not in this encoding. */
function decode(label: string, bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: true, fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A NUL byte, or more than one control character in a hundred bytes (tabs, line breaks, form feeds, escapes aside). */
function isBinary(start: Uint8Array): boolean {
  let controls = 0;
  for (const byte of start) {
    if (byte === 0) return true;
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) controls++;
  }
  return controls > start.length / 100;
}

/** Replacement characters in more than one of a hundred places. */
function isGarbled(start: string): boolean {
  return start.split('\ufffd').length - 1 > start.length / 100;
}
