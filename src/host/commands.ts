// Every command of the extension in one table.
import * as vscode from 'vscode';
import type { ProviderId } from '../core/conversation/request.ts';
import type { Chat } from './chat/chat.ts';

type Handler = (...args: never[]) => unknown;

export function registerCommands(chat: Chat): vscode.Disposable {
  const table: Record<string, Handler> = {
    'steiner.openChat': () => chat.reveal(),
    'steiner.newSession': () => chat.newSession(),
    'steiner.resumeSession': (id?: string) => chat.resumeSession(id),
    'steiner.listSessions': () => chat.postSessions(),
    'steiner.stop': () => chat.stop(),
    'steiner.compactConversation': (focus?: string) => chat.compact(focus),
    'steiner.toggleSkills': () => chat.toggleSkills(),
    'steiner.showContextReport': () => chat.showContextReport(),
    'steiner.setApiKey': (provider?: ProviderId) => chat.setApiKey(provider),
    'steiner.selectModel': (id?: string) => chat.selectModel(id),
    'steiner.openHistory': () => chat.openHistory(),
  };
  const registrations = Object.entries(table).map(([command, handler]) =>
    vscode.commands.registerCommand(command, handler),
  );
  return vscode.Disposable.from(...registrations);
}
