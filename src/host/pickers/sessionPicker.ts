// The quick pick of stored sessions.
import * as vscode from 'vscode';
import type { SessionSummary } from '../../protocol.ts';

/** Id of the chosen session; undefined: the user gave up. */
export async function pickSession(sessions: readonly SessionSummary[]): Promise<string | undefined> {
  if (sessions.length === 0) {
    await vscode.window.showInformationMessage('There are no earlier sessions yet.');
    return undefined;
  }
  const items = sessions.map((session) => ({
    label: session.title || 'New session',
    description: session.current ? 'current' : '',
    detail: `${new Date(session.updatedAt).toLocaleString()} · ${session.messageCount} messages`,
    id: session.id,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Resume Session',
    placeHolder: 'Which session?',
    matchOnDetail: true,
  });
  return picked?.id;
}
