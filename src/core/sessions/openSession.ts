import { emptyHeader, headerOf, headerWith, type SessionHeader, writeHeader } from './header.ts';
import { SessionHistory } from './history.ts';
import type { SessionLock } from './lock.ts';
import type { LogFile } from './logFile.ts';
import { type BadLine, readLog } from './readLog.ts';
import { LOG_FORMAT, type SessionRecord } from './records.ts';
import { saveResult } from './results.ts';
import { SessionSaveError } from './saveError.ts';
import type { SessionFolder } from './sessionFolder.ts';
import { SessionLog } from './sessionLog.ts';

export interface OpenSessionOptions {
  folder: SessionFolder;
  lock: SessionLock;
  onSaveState?: ((problem: SessionSaveError | undefined) => void) | undefined;
  openFile?: ((path: string) => Promise<LogFile>) | undefined;
}

/** A session that this process writes. */
export class OpenSession {
  readonly id: string;
  readonly folder: SessionFolder;
  /** As found when it was opened. */
  readonly records: readonly SessionRecord[];
  /** Lines of the log that could not be read; they stay in the file. */
  readonly badLines: readonly BadLine[];
  readonly history: SessionHistory;
  readonly #lock: SessionLock;
  readonly #log: SessionLog;
  #header: SessionHeader;
  #takenOver = false;

  private constructor(
    options: OpenSessionOptions,
    log: SessionLog,
    header: SessionHeader,
    records: readonly SessionRecord[],
    badLines: readonly BadLine[],
  ) {
    this.id = header.id;
    this.folder = options.folder;
    this.records = records;
    this.badLines = badLines;
    this.history = new SessionHistory(options.folder.history);
    this.#lock = options.lock;
    this.#log = log;
    this.#header = header;
  }

  /** Begins the log. Errors: SessionSaveError. */
  static async begin(
    first: Extract<SessionRecord, { type: 'session' }>,
    options: OpenSessionOptions,
  ): Promise<OpenSession> {
    const log = await SessionLog.open({ ...options, path: options.folder.log, wholeBytes: 0 });
    await log.append(first);
    await log.flush();
    return new OpenSession(options, log, emptyHeader(first), [first], []);
  }

  /** Loads the log and cuts off a torn last line. Errors: SessionSaveError, UnreadableSessionError, NewerFormatError. */
  static async load(options: OpenSessionOptions): Promise<OpenSession> {
    const { records, badLines, wholeBytes } = await readLog(options.folder.log);
    const header = headerOf(records);
    const [first] = records;
    if (!header || first?.type !== 'session') throw new UnreadableSessionError(options.folder.path);
    if (first.format > LOG_FORMAT) throw new NewerFormatError(first.format);
    const log = await SessionLog.open({ ...options, path: options.folder.log, wholeBytes });
    return new OpenSession(options, log, header, records, badLines);
  }

  /** See SessionLog.append. Errors: SessionSaveError `taken_over` when another window writes the session now. */
  async append(record: SessionRecord): Promise<void> {
    this.#refuseTakenOver();
    this.#header = headerWith(this.#header, record);
    await this.#log.append(record);
  }

  /** Resolves when all appended records are on disk. Errors: SessionSaveError. */
  async flush(): Promise<void> {
    this.#refuseTakenOver();
    await this.#log.flush();
    await writeHeader(this.folder.header, this.#header, this.#log.savedBytes);
  }

  /** Saves a large tool result whole and returns its absolute path. Errors: SessionSaveError. */
  saveResult(callId: string, text: string): Promise<string> {
    return saveResult(this.folder.results, callId, text);
  }

  /** From now on nothing is written: another window owns the log. */
  markTakenOver(): void {
    this.#takenOver = true;
  }

  /** Saves and gives the lock back. Errors: SessionSaveError when something stays unsaved; the lock is free anyway. */
  async close(): Promise<void> {
    try {
      if (this.#takenOver) {
        await this.#log.abandon();
        return;
      }
      await this.flush().finally(() => this.#log.close());
    } finally {
      await this.#lock.release();
    }
  }

  #refuseTakenOver(): void {
    if (this.#takenOver) throw new SessionSaveError('taken_over', this.folder.log);
  }
}

/** The log has no readable beginning. The files stay where they are. */
export class UnreadableSessionError extends Error {
  constructor(path: string) {
    super(`The log in ${path} cannot be read: its first record is missing or damaged. Nothing was deleted.`);
    this.name = 'UnreadableSessionError';
  }
}

/** A newer version of the extension wrote the session; writing to it could damage it. */
export class NewerFormatError extends Error {
  readonly format: number;

  constructor(format: number) {
    super(`The session was written by a newer version (format ${format}, this version knows ${LOG_FORMAT}).`);
    this.name = 'NewerFormatError';
    this.format = format;
  }
}
