// Connects the chat view with the open session: events become deltas, messages become calls.
import * as vscode from 'vscode';
import type { AgentEvent } from '../../core/agent/events.ts';
import type { ChatItem, ChatState, HostMessage, WebviewMessage } from '../../protocol.ts';
import type { ReadOnlyDocuments } from '../readOnlyDocuments.ts';
import type { ChatSession } from '../session/chatSession.ts';
import { DeltaFeed } from './deltaFeed.ts';
import { openLink, openWorkspaceFile } from './open.ts';

/** Items of the first page and of each older one. */
const PAGE_ITEMS = 60;

export interface ChatControllerDeps {
  post(message: HostMessage): void;
  onState(state: ChatState): void;
  documents: ReadOnlyDocuments;
}

export class ChatController {
  readonly #deps: ChatControllerDeps;
  readonly #feed: DeltaFeed;
  #session: ChatSession | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: ChatControllerDeps) {
    this.#deps = deps;
    this.#feed = new DeltaFeed((message) => deps.post(message));
  }

  get session(): ChatSession | undefined {
    return this.#session;
  }

  /** Shows another session; the webview gets a new snapshot. */
  show(session: ChatSession): void {
    this.#unsubscribe?.();
    this.#session = session;
    this.#unsubscribe = session.subscribe((event) => this.#apply(event));
    this.postSnapshot();
    this.#deps.onState(session.chatState());
  }

  postSnapshot(): void {
    if (!this.#session) return;
    this.#feed.reset();
    this.#deps.post({
      type: 'snapshot',
      sequence: this.#feed.sequence,
      state: this.#session.chatState(),
      ...this.#session.transcript.newest(PAGE_ITEMS),
    });
  }

  /** Something outside the conversation changed: skills, models, settings. */
  refreshState(): void {
    if (!this.#session) return;
    const state = this.#session.chatState();
    this.#feed.add([{ op: 'state', state }]);
    this.#deps.onState(state);
  }

  async handle(message: WebviewMessage): Promise<void> {
    const session = this.#session;
    if (!session) return;
    switch (message.type) {
      case 'ready':
        this.postSnapshot();
        return;
      case 'send':
        session.driver.send(message.text);
        return;
      case 'stop':
        session.driver.stop();
        return;
      case 'approval':
        session.driver.answerApproval(message.id, message.answer);
        return;
      case 'select_model':
        await vscode.commands.executeCommand('steiner.selectModel', message.id);
        return;
      case 'set_mode':
        await session.driver.setMode(message.mode);
        this.refreshState();
        return;
      case 'load_older':
        // The page holds what still waits in the batch; posted later it would be applied twice.
        this.#feed.flush();
        this.#deps.post({
          type: 'page',
          before: message.before,
          ...session.transcript.before(message.before, PAGE_ITEMS),
        });
        return;
      case 'open_link':
        await openLink(message.href);
        return;
      case 'open_file':
        await openWorkspaceFile(message.path);
        return;
      case 'show_output':
        await this.#showOutput(session, message.itemId);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'notice_action':
        await this.#noticeAction(session, message.action);
        return;
      case 'list_sessions':
        await vscode.commands.executeCommand('steiner.listSessions');
        return;
      case 'resume_session':
        await vscode.commands.executeCommand('steiner.resumeSession', message.id);
        return;
      case 'compact':
        await vscode.commands.executeCommand('steiner.compactConversation');
        return;
      case 'new_session':
        await vscode.commands.executeCommand('steiner.newSession');
        return;
      case 'toggle_skills':
        await vscode.commands.executeCommand('steiner.toggleSkills');
        return;
      case 'context_report':
        await vscode.commands.executeCommand('steiner.showContextReport');
        return;
    }
  }

  #apply(event: AgentEvent): void {
    const session = this.#session;
    if (!session) return;
    this.#feed.add(session.transcript.apply(event));
    if (event.type === 'returned_text') this.#deps.post({ type: 'focus_input', text: event.text });
    if (session.stateChangedBy(event)) this.refreshState();
  }

  async #showOutput(session: ChatSession, itemId: string): Promise<void> {
    const item: ChatItem | undefined = session.transcript.item(itemId);
    if (item?.kind !== 'tool') return;
    await this.#deps.documents.show(`${item.name} ${itemId.slice(-6)}.txt`, session.wholeOutput(itemId) ?? item.output);
  }

  async #noticeAction(session: ChatSession, action: Extract<WebviewMessage, { type: 'notice_action' }>['action']) {
    switch (action) {
      case 'retry':
        session.driver.retry();
        return;
      case 'set_api_key':
        await vscode.commands.executeCommand('steiner.setApiKey', session.state.settings.model.provider);
        // The turn that failed for want of the key goes on.
        session.driver.retry();
        return;
      case 'select_model':
        await vscode.commands.executeCommand('steiner.selectModel');
        return;
      case 'open_settings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'steiner');
        return;
      case 'open_folder':
        await vscode.commands.executeCommand('workbench.action.files.openFolder');
        return;
      case 'context_report':
        await vscode.commands.executeCommand('steiner.showContextReport');
        return;
    }
  }
}
