// Reads a session's log. Reading never changes the file, so that a second window may read while the first one writes.
import { readFile } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { parseRecordLine } from './recordLine.ts';
import type { SessionRecord } from './records.ts';

export interface BadLine {
  /** 1-based. */
  line: number;
  problem: string;
}

export interface LoadedLog {
  records: SessionRecord[];
  /** Lines that could not be read. They stay in the file. */
  badLines: BadLine[];
  /** Bytes up to the end of the last whole line. */
  wholeBytes: number;
  /** Bytes of a last line that a crash cut off; 0: there is none. */
  tornBytes: number;
}

const LINE_FEED = 0x0a;

/** Errors: those of reading the file. */
export async function readLog(path: string): Promise<LoadedLog> {
  const bytes = await readFile(path);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const log: LoadedLog = { records: [], badLines: [], wholeBytes: 0, tornBytes: 0 };
  for (let line = 1; log.wholeBytes < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, log.wholeBytes);
    if (end < 0) {
      log.tornBytes = bytes.length - log.wholeBytes;
      break;
    }
    const parsed = parseBytes(bytes.subarray(log.wholeBytes, end), decoder);
    if ('record' in parsed) log.records.push(parsed.record);
    else log.badLines.push({ line, problem: parsed.problem });
    log.wholeBytes = end + 1;
  }
  return log;
}

function parseBytes(bytes: Uint8Array, decoder: TextDecoder): ReturnType<typeof parseRecordLine> {
  try {
    return parseRecordLine(decoder.decode(bytes));
  } catch {
    return { problem: 'not UTF-8' };
  }
}
