// Bytes of a text file and back: byte order mark, UTF-16 and line endings stay as they were (case A18).

export type TextEncoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be';

export interface TextFile {
  /** Without the byte order mark; line endings as in the file. */
  text: string;
  encoding: TextEncoding;
}

/** Bytes looked at to tell text from binary data. */
const SNIFF_BYTES = 8_192;

/** Undefined: the bytes are not text. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { text: decode('utf-8', bytes.subarray(3)), encoding: 'utf8-bom' };
  if (a === 0xff && b === 0xfe) return { text: decode('utf-16le', bytes.subarray(2)), encoding: 'utf16le' };
  if (a === 0xfe && b === 0xff) return { text: decode('utf-16be', bytes.subarray(2)), encoding: 'utf16be' };
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  const text = decode('utf-8', bytes);
  return looksGarbled(text.slice(0, SNIFF_BYTES)) ? undefined : { text, encoding: 'utf8' };
}

export function encodeText({ text, encoding }: TextFile): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8-bom':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  }
}

/** The ending most lines have; `\n` for a text of one line. */
export function lineEndingOf(text: string): '\n' | '\r\n' {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
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

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Replacement characters in more than one of a hundred places: another encoding, or no text at all. */
function looksGarbled(start: string): boolean {
  const broken = start.split('\ufffd').length - 1;
  return broken > start.length / 100;
}
