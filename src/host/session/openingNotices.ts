// What the user should know about a session that was just opened. No vscode import.
import type { AgentEvent } from '../../core/agent/events.ts';

type Notice = Omit<Extract<AgentEvent, { type: 'notice' }>, 'type'>;

export interface OpenedSession {
  /** Absolute paths: the folders of this window, and those the session was started in. */
  roots: readonly string[];
  startedIn: readonly string[];
  inOtherFolder: boolean;
  /** Lines of the log that could not be read. */
  damagedLines: number;
  /** The model has something to answer. */
  awaitsAnswer: boolean;
}

export function openingNotices(opened: OpenedSession): Notice[] {
  const notices: Notice[] = [];
  if (opened.roots.length === 0) {
    notices.push({
      severity: 'info',
      message: 'No folder is open, so there are no files to read or change.',
      advice: 'You can talk to the model. Open a folder to work on its files.',
      action: 'open_folder',
    });
  }
  if (opened.inOtherFolder) {
    notices.push({
      severity: 'warning',
      message: `This session was started in ${opened.startedIn.join(', ') || 'a window without a folder'}. Paths in it mean files there.`,
      advice: 'What you allowed for that session does not count here. Start a new session for work on this folder.',
    });
  }
  if (opened.damagedLines > 0) {
    notices.push({
      severity: 'warning',
      message: `${opened.damagedLines} damaged ${opened.damagedLines === 1 ? 'line' : 'lines'} of this session’s log could not be read; what they held is missing here.`,
      advice: 'Nothing was deleted: the lines are still in the file, and history.md has what was archived.',
    });
  }
  if (opened.awaitsAnswer) {
    notices.push({ severity: 'info', message: 'The last turn did not run to its end.', action: 'retry' });
  }
  return notices;
}
