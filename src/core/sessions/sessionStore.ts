// All sessions below one root folder. The list is derived from the folders; there is no index that could be lost.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import type { Clock } from '../platform/clock.ts';
import type { IdSource } from '../platform/ids.ts';
import { headerOf, readHeader, type SessionHeader, writeHeader } from './header.ts';
import { acquireLock, type LockHolder, type LockOptions, type SessionLock } from './lock.ts';
import type { LogFile } from './logFile.ts';
import { NewerFormatError, OpenSession, UnreadableSessionError } from './openSession.ts';
import { type BadLine, readLog } from './readLog.ts';
import { LOG_FORMAT, type SessionRecord } from './records.ts';
import { type SessionSaveError, saveError } from './saveError.ts';
import { FOLDER_MODE, isSessionId, type SessionFolder, sessionFolder } from './sessionFolder.ts';

export interface SessionStoreOptions {
  /** Absolute path; created when missing. */
  root: string;
  clock: Clock;
  ids: IdSource;
  /** Tells when a session cannot be saved, and with undefined when it can again. */
  onSaveState?: (sessionId: string, problem: SessionSaveError | undefined) => void;
  openFile?: (path: string) => Promise<LogFile>;
  isAlive?: (pid: number) => boolean;
}

export type OpenResult = { access: 'write'; session: OpenSession } | ReadOnlySession;

export interface ReadOnlySession {
  access: 'read-only';
  why: { reason: 'locked'; holder: LockHolder } | { reason: 'newer_format'; format: number };
  folder: SessionFolder;
  records: readonly SessionRecord[];
  badLines: readonly BadLine[];
}

export interface SessionList {
  /** The most recently changed first. */
  sessions: SessionHeader[];
  /** Folders that could not be read; they are left as they are. */
  unreadable: { id: string; problem: string }[];
}

export class SessionStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  /** `roots`: absolute paths of the workspace folders. Errors: SessionSaveError. */
  async create(roots: readonly string[]): Promise<OpenSession> {
    const { root, clock, ids } = this.#options;
    const id = ids('session');
    const folder = sessionFolder(root, id);
    try {
      await mkdir(folder.path, { recursive: true, mode: FOLDER_MODE });
    } catch (error) {
      throw saveError(folder.path, error);
    }
    const opened = await this.#locked(folder, (lock) =>
      OpenSession.begin(
        { type: 'session', format: LOG_FORMAT, id, at: clock.now(), roots: [...roots] },
        this.#sessionOptions(id, folder, lock),
      ),
    );
    if ('holder' in opened) throw new Error(`The new session ${id} is already in use.`);
    return opened.session;
  }

  /** Errors: UnreadableSessionError, SessionSaveError, and the file system's when there is no such session. */
  async open(id: string): Promise<OpenResult> {
    const folder = sessionFolder(this.#options.root, id);
    await stat(folder.log);
    try {
      const opened = await this.#locked(folder, (lock) => OpenSession.load(this.#sessionOptions(id, folder, lock)));
      if ('session' in opened) return { access: 'write', session: opened.session };
      return await this.#readOnly(folder, { reason: 'locked', holder: opened.holder });
    } catch (error) {
      if (!(error instanceof NewerFormatError)) throw error;
      return this.#readOnly(folder, { reason: 'newer_format', format: error.format });
    }
  }

  async list(): Promise<SessionList> {
    const list: SessionList = { sessions: [], unreadable: [] };
    for (const id of await this.#ids()) {
      try {
        list.sessions.push(await this.#headerOf(sessionFolder(this.#options.root, id)));
      } catch (error) {
        list.unreadable.push({ id, problem: error instanceof Error ? error.message : String(error) });
      }
    }
    list.sessions.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
    return list;
  }

  /** Deletes the session with all its files. Returns who uses it when it is open somewhere; it is kept then. */
  async remove(id: string): Promise<LockHolder | undefined> {
    const folder = sessionFolder(this.#options.root, id);
    const result = await acquireLock(
      folder.lock,
      this.#lockOptions(() => undefined),
    );
    if (!result.acquired) return result.holder;
    try {
      await rm(folder.path, { recursive: true, force: true });
    } finally {
      await result.lock.release();
    }
    return undefined;
  }

  async #ids(): Promise<string[]> {
    try {
      const entries = await readdir(this.#options.root, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory() && isSessionId(entry.name)).map(({ name }) => name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async #headerOf(folder: SessionFolder): Promise<SessionHeader> {
    const { size } = await stat(folder.log);
    const cached = await readHeader(folder.header, size);
    if (cached) return cached;
    const { records, wholeBytes, tornBytes } = await readLog(folder.log);
    const header = headerOf(records);
    if (!header) throw new UnreadableSessionError(folder.path);
    await writeHeader(folder.header, header, wholeBytes + tornBytes);
    return header;
  }

  async #readOnly(folder: SessionFolder, why: ReadOnlySession['why']): Promise<ReadOnlySession> {
    const { records, badLines } = await readLog(folder.log);
    return { access: 'read-only', why, folder, records, badLines };
  }

  async #locked(
    folder: SessionFolder,
    begin: (lock: SessionLock) => Promise<OpenSession>,
  ): Promise<{ session: OpenSession } | { holder: LockHolder }> {
    let session: OpenSession | undefined;
    const result = await acquireLock(
      folder.lock,
      this.#lockOptions(() => session?.markTakenOver()),
    ).catch((error: unknown) => {
      throw saveError(folder.lock, error);
    });
    if (!result.acquired) return { holder: result.holder };
    try {
      session = await begin(result.lock);
      return { session };
    } catch (error) {
      await result.lock.release();
      throw error;
    }
  }

  #lockOptions(onLost: () => void): LockOptions {
    const { clock, ids, isAlive } = this.#options;
    return { clock, ids, isAlive, onLost };
  }

  #sessionOptions(id: string, folder: SessionFolder, lock: SessionLock) {
    const { onSaveState, openFile } = this.#options;
    return {
      folder,
      lock,
      openFile,
      onSaveState: (problem: SessionSaveError | undefined) => onSaveState?.(id, problem),
    };
  }
}
