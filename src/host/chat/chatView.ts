// The sidebar view: owns the webview, hands validated messages to its listener and posts what it is given.
import * as vscode from 'vscode';
import { type HostMessage, type WebviewMessage, webviewMessage } from '../../protocol.ts';
import { chatHtml } from './chatHtml.ts';

export const CHAT_VIEW_ID = 'steiner.chat';

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #onMessage: (message: WebviewMessage) => void;
  readonly #registration: vscode.Disposable;
  #view: vscode.WebviewView | undefined;
  #focusWhenReady = false;

  constructor(extensionUri: vscode.Uri, log: vscode.LogOutputChannel, onMessage: (message: WebviewMessage) => void) {
    this.#extensionUri = extensionUri;
    this.#log = log;
    this.#onMessage = onMessage;
    this.#registration = vscode.window.registerWebviewViewProvider(CHAT_VIEW_ID, this);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview')],
    };
    view.webview.onDidReceiveMessage((raw: unknown) => this.#receive(raw));
    view.onDidDispose(() => {
      if (this.#view === view) this.#view = undefined;
    });
    view.webview.html = chatHtml(view.webview, this.#extensionUri);
  }

  /** Lost when no webview is there: a new one asks for a snapshot. */
  post(message: HostMessage): void {
    void this.#view?.webview.postMessage(message);
  }

  async reveal(): Promise<void> {
    this.#focusWhenReady = this.#view === undefined;
    await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
    if (!this.#focusWhenReady) this.post({ type: 'focus_input' });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #receive(raw: unknown): void {
    const parsed = webviewMessage.safeParse(raw);
    if (!parsed.success) {
      this.#log.warn('The chat view sent a message that is not part of the protocol.', parsed.error.message);
      return;
    }
    this.#onMessage(parsed.data);
    if (parsed.data.type === 'ready' && this.#focusWhenReady) {
      this.#focusWhenReady = false;
      this.post({ type: 'focus_input' });
    }
  }
}
