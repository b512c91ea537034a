// The writer of a session's log: one record a line, in order. A write that fails keeps its records in memory, and the
// next append or flush tries them again first, so that nothing is lost or changes places (case A22).
import { type LogFile, openLogFile } from './logFile.ts';
import { recordLine } from './recordLine.ts';
import type { SessionRecord } from './records.ts';
import { type SessionSaveError, saveError } from './saveError.ts';

export interface SessionLogOptions {
  path: string;
  /** Bytes of whole lines; what lies behind them is a torn line and is cut off. */
  wholeBytes: number;
  /** Called when saving fails for the first time, and with undefined when it works again. */
  onSaveState?: ((problem: SessionSaveError | undefined) => void) | undefined;
  openFile?: ((path: string) => Promise<LogFile>) | undefined;
}

export class SessionLog {
  readonly #options: SessionLogOptions;
  readonly #file: LogFile;
  /** Lines that are not in the file yet, oldest first. */
  #unsaved: string[] = [];
  #savedBytes: number;
  /** The file may hold a part of a failed write behind `#savedBytes`. */
  #tailIsDirty = false;
  #problem: SessionSaveError | undefined;
  #work: Promise<void> = Promise.resolve();

  private constructor(options: SessionLogOptions, file: LogFile) {
    this.#options = options;
    this.#file = file;
    this.#savedBytes = options.wholeBytes;
  }

  /** Errors: SessionSaveError when the file cannot be opened or healed. */
  static async open(options: SessionLogOptions): Promise<SessionLog> {
    try {
      const file = await (options.openFile ?? openLogFile)(options.path);
      await file.truncate(options.wholeBytes);
      return new SessionLog(options, file);
    } catch (error) {
      throw saveError(options.path, error);
    }
  }

  /** Bytes of the log that are in the file. */
  get savedBytes(): number {
    return this.#savedBytes;
  }

  /**
   * Takes the record as it is now and resolves when it is in the file, or, after a failed write, when it is kept for
   * the next try: the conversation goes on with what it holds in memory, `onSaveState` tells the user, and `flush`
   * is what fails.
   */
  append(record: SessionRecord): Promise<void> {
    this.#unsaved.push(recordLine(record));
    return this.#enqueue(() => this.#save());
  }

  /** Resolves when everything appended so far is on the disk. Errors: SessionSaveError; nothing is lost by it. */
  flush(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#save();
      if (this.#problem) throw this.#problem;
      try {
        await this.#file.sync();
      } catch (error) {
        throw saveError(this.#options.path, error);
      }
    });
  }

  /** Saves what is left and closes the file. Errors: SessionSaveError when something stays unsaved. */
  close(): Promise<void> {
    return this.flush().finally(() => this.abandon());
  }

  /** Closes the file and writes nothing more: it is another window's now. */
  abandon(): Promise<void> {
    this.#unsaved = [];
    return this.#enqueue(() => this.#file.close());
  }

  async #save(): Promise<void> {
    const lines = [...this.#unsaved];
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.join(''), 'utf8');
    try {
      if (this.#tailIsDirty) await this.#file.truncate(this.#savedBytes);
      this.#tailIsDirty = true;
      await this.#file.append(bytes);
    } catch (error) {
      await this.#cutPartialWrite();
      this.#setProblem(saveError(this.#options.path, error));
      return;
    }
    this.#tailIsDirty = false;
    this.#savedBytes += bytes.length;
    this.#unsaved = this.#unsaved.slice(lines.length);
    this.#setProblem(undefined);
  }

  /** Another reader should not find half a line; if this fails too, the next save tries it again first. */
  async #cutPartialWrite(): Promise<void> {
    try {
      await this.#file.truncate(this.#savedBytes);
      this.#tailIsDirty = false;
    } catch {
      this.#tailIsDirty = true;
    }
  }

  #setProblem(problem: SessionSaveError | undefined): void {
    const changed = (this.#problem === undefined) !== (problem === undefined);
    this.#problem = problem;
    if (changed) this.#options.onSaveState?.(problem);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    // The chain goes on after a failure; the caller of this piece of work gets the error.
    this.#work = done.catch(() => undefined);
    return done;
  }
}
