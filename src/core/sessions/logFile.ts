import { open } from 'node:fs/promises';
import { FILE_MODE } from './sessionFolder.ts';

/** The file operations of the log writer; tests pass one that fails. */
export interface LogFile {
  /** Adds at the end; resolves when all bytes were handed to the system. May have written a part when it rejects. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the file to `length` bytes. */
  truncate(length: number): Promise<void>;
  /** Resolves when the content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens for appending, creates the file when it is missing, readable by its owner only. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await open(path, 'a', FILE_MODE);
  await handle.chmod(FILE_MODE);
  return {
    append: (bytes) => handle.appendFile(bytes),
    truncate: (length) => handle.truncate(length),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}
