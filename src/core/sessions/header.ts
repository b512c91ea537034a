// What the session list shows, cached beside the log so that listing need not read every log. Never the truth: a header
// that does not belong to the log's present size is made anew.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isRealUserMessage } from '../conversation/message.ts';
import type { SessionRecord } from './records.ts';
import { FILE_MODE } from './sessionFolder.ts';

export interface SessionHeader {
  id: string;
  /** Empty until the user has said something. */
  title: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
  /** Messages with the user's own words, and answers. */
  messageCount: number;
  /** Absolute paths of the workspace folders it was started in. */
  roots: string[];
}

export function emptyHeader(record: Extract<SessionRecord, { type: 'session' }>): SessionHeader {
  return { id: record.id, title: '', createdAt: record.at, updatedAt: record.at, messageCount: 0, roots: record.roots };
}

/** Undefined: the log does not begin with a session record. */
export function headerOf(records: readonly SessionRecord[]): SessionHeader | undefined {
  const [first, ...rest] = records;
  return first?.type === 'session' ? rest.reduce(headerWith, emptyHeader(first)) : undefined;
}

/** The header after one more record. */
export function headerWith(header: SessionHeader, record: SessionRecord): SessionHeader {
  switch (record.type) {
    case 'title':
      return { ...header, title: record.title };
    case 'turn_ended':
      return { ...header, updatedAt: record.at };
    case 'message': {
      const { message } = record;
      const counts = message.role === 'assistant' || isRealUserMessage(message);
      return { ...header, updatedAt: message.at, messageCount: header.messageCount + (counts ? 1 : 0) };
    }
    default:
      return header;
  }
}

/** Undefined: there is none, or it belongs to a log of another size. Never fails. */
export async function readHeader(path: string, logBytes: number): Promise<SessionHeader | undefined> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as { logBytes: number; header: SessionHeader };
    return stored.logBytes === logBytes && typeof stored.header.updatedAt === 'number' ? stored.header : undefined;
  } catch {
    return undefined;
  }
}

/** Best effort: without a header the list reads the log. */
export async function writeHeader(path: string, header: SessionHeader, logBytes: number): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  try {
    await writeFile(draft, JSON.stringify({ logBytes, header }), { mode: FILE_MODE });
    await rename(draft, path);
  } catch {
    // The next list will try again.
  }
}
