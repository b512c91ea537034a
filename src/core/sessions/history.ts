// history.md: the readable archive of what compaction dropped. The pending text is in the log before it is appended
// here (design invariant 6), so a crash in between is made good on the next load.
import { open } from 'node:fs/promises';
import type { SessionRecord } from './records.ts';
import { saveError } from './saveError.ts';
import { FILE_MODE } from './sessionFolder.ts';

export interface PendingArchive {
  generationId: number;
  markdown: string;
}

/** A shorter overlap between the end of the file and the new text can be chance. */
const MIN_TORN_BYTES = 16;

/** Archives whose append was not confirmed, in the order in which they were recorded. */
export function pendingArchives(records: readonly SessionRecord[]): PendingArchive[] {
  const pending = new Map<number, PendingArchive>();
  for (const record of records) {
    if (record.type === 'archive_pending') {
      pending.set(record.generationId, { generationId: record.generationId, markdown: record.markdown });
    } else if (record.type === 'archive_done') {
      pending.delete(record.generationId);
    }
  }
  return [...pending.values()];
}

export class SessionHistory {
  /** Absolute path of history.md. */
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Adds the text and resolves when it is on the disk. A text that the file already ends with (the crash came before
   * `archive_done` was recorded) is not added twice; one that was cut off is completed. Errors: SessionSaveError, the
   * file is as it was.
   */
  async append(markdown: string): Promise<void> {
    try {
      await appendOnce(this.path, Buffer.from(markdown, 'utf8'));
    } catch (error) {
      throw saveError(this.path, error);
    }
  }
}

async function appendOnce(path: string, text: Buffer): Promise<void> {
  const handle = await open(path, 'a+', FILE_MODE);
  try {
    await handle.chmod(FILE_MODE);
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, text.length));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const rest = text.subarray(writtenBytes(tail, text));
    try {
      await handle.appendFile(rest);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/** How many leading bytes of `text` the file ends with. */
function writtenBytes(tail: Buffer, text: Buffer): number {
  const start = text.subarray(0, MIN_TORN_BYTES);
  for (let at = tail.indexOf(start); at >= 0; at = tail.indexOf(start, at + 1)) {
    const length = tail.length - at;
    if (tail.subarray(at).equals(text.subarray(0, length))) return length;
  }
  return 0;
}
