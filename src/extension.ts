// The composition root: the one file that wires everything.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from './core/platform/clock.ts';
import { randomIds } from './core/platform/ids.ts';
import { SessionStore } from './core/sessions/sessionStore.ts';
import { ApiKeys } from './host/apiKeys.ts';
import { busyContext, Chat } from './host/chat/chat.ts';
import { ChatController } from './host/chat/chatController.ts';
import { ChatView } from './host/chat/chatView.ts';
import { registerCommands } from './host/commands.ts';
import { Models } from './host/models.ts';
import { ReadOnlyDocuments } from './host/readOnlyDocuments.ts';
import { SessionFactory } from './host/session/sessionFactory.ts';
import { StatusBar } from './host/statusBar.ts';

let chat: Chat | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Steiner', { log: true });
  const statusBar = new StatusBar();
  const documents = new ReadOnlyDocuments();
  const keys = new ApiKeys(context.secrets);
  const models = new Models(keys, systemClock);
  const store = new SessionStore({
    root: join(context.globalStorageUri.fsPath, 'sessions'),
    clock: systemClock,
    ids: randomIds,
    onSaveState: (sessionId, problem) => sessions.saveStateChanged(sessionId, problem),
  });
  const sessions = new SessionFactory({ store, models, log });
  const view = new ChatView(context.extensionUri, log, (message) => {
    controller.handle(message).catch((error: unknown) => showFailure(log, error));
  });
  const controller = new ChatController({
    post: (message) => view.post(message),
    onState: (state) => {
      statusBar.update(state);
      busyContext(state);
    },
    documents,
  });
  chat = new Chat({
    view,
    controller,
    sessions,
    store,
    models,
    keys,
    documents,
    workspaceState: context.workspaceState,
    log,
  });
  context.subscriptions.push(log, statusBar, documents, view, registerCommands(chat));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('steiner')) return;
      sessions.connectionsChanged();
      void chat?.refresh();
    }),
    context.secrets.onDidChange(() => sessions.connectionsChanged()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void chat?.refresh()),
  );
  await chat.start();
  if (process.env.STEINER_OPEN_CHAT === '1') await chat.reveal();
}

export async function deactivate(): Promise<void> {
  await chat?.dispose();
}

function showFailure(log: vscode.LogOutputChannel, error: unknown): void {
  log.error('A chat action failed.', error);
  const message = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(`Steiner: ${message}`);
}
