export type SaveFailure = 'disk_full' | 'denied' | 'taken_over' | 'other';

/** Something of a session could not be written to disk: what, why, and the way out for the user. */
export class SessionSaveError extends Error {
  readonly kind: SaveFailure;
  readonly path: string;
  /** What the user can do, one sentence. */
  readonly advice: string;

  constructor(kind: SaveFailure, path: string, cause?: unknown) {
    super(`Not saved: ${reasons[kind]}${kind === 'other' ? ` (${causeText(cause)})` : ''}. File: ${path}`, { cause });
    this.name = 'SessionSaveError';
    this.kind = kind;
    this.path = path;
    this.advice = advice[kind];
  }
}

/** Wraps what a file operation threw. */
export function saveError(path: string, cause: unknown): SessionSaveError {
  if (cause instanceof SessionSaveError) return cause;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return new SessionSaveError('disk_full', path, cause);
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return new SessionSaveError('denied', path, cause);
  return new SessionSaveError('other', path, cause);
}

const reasons: Record<SaveFailure, string> = {
  disk_full: 'the disk is full',
  denied: 'writing is not allowed there',
  taken_over: 'another window has taken over this session',
  other: 'the file could not be written',
};

const advice: Record<SaveFailure, string> = {
  disk_full: 'Free some space; what is not saved yet is kept in memory and written with the next change.',
  denied:
    'Check the permissions of the folder; what is not saved yet is kept in memory and written with the next change.',
  taken_over: 'Go on in the other window, or reload this one to open the session again.',
  other: 'What is not saved yet is kept in memory and written with the next change.',
};

function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
