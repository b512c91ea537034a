// Where the files of one session lie (design section 8). The folder name is the session's id.
import { join } from 'node:path';

/** Only the owner may read what was said; also the mode of every file below. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

export interface SessionFolder {
  path: string;
  /** The append-only log: the truth about the session. */
  log: string;
  /** The readable archive of compacted messages. */
  history: string;
  /** Large tool results, one file each. */
  results: string;
  /** Who writes this session at the moment. */
  lock: string;
  /** What the session list shows; a cache of the log. */
  header: string;
}

/** Ids come from the webview too: one that could lead out of the root is refused. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}

/** Errors: RangeError for an id that is none. */
export function sessionFolder(root: string, id: string): SessionFolder {
  if (!isSessionId(id)) throw new RangeError(`Not a session id: ${JSON.stringify(id)}`);
  const path = join(root, id);
  return {
    path,
    log: join(path, 'log.jsonl'),
    history: join(path, 'history.md'),
    results: join(path, 'results'),
    lock: join(path, 'lock.json'),
    header: join(path, 'header.json'),
  };
}
