// The chat as a whole: which session is open, and what every command does to it.
import * as vscode from 'vscode';
import { replaceConversation } from '../../core/agent/replacementGuard.ts';
import { isSameModel, parseModelId } from '../../core/conversation/modelId.ts';
import type { ModelRef, ProviderId } from '../../core/conversation/request.ts';
import { renderContextReport } from '../../core/report/contextReport.ts';
import type { SessionStore } from '../../core/sessions/sessionStore.ts';
import type { ChatState, SessionSummary } from '../../protocol.ts';
import type { ApiKeys } from '../apiKeys.ts';
import type { Models } from '../models.ts';
import { pickModel } from '../pickers/modelPicker.ts';
import { pickSession } from '../pickers/sessionPicker.ts';
import { pickSkills } from '../pickers/skillPicker.ts';
import type { ReadOnlyDocuments } from '../readOnlyDocuments.ts';
import type { ChatSession, ChatSessionFactory } from '../session/chatSession.ts';
import { settings } from '../settings.ts';
import { sameRoots, workspaceRoots } from '../workspaceRoots.ts';
import type { ChatController } from './chatController.ts';
import type { ChatView } from './chatView.ts';

/** workspaceState key: the session that a reload opens again. */
const CURRENT_SESSION = 'steiner.currentSession';

const MODEL_LIST_TIMEOUT_MS = 10_000;

export interface ChatDeps {
  view: ChatView;
  controller: ChatController;
  sessions: ChatSessionFactory;
  store: SessionStore;
  models: Models;
  keys: ApiKeys;
  documents: ReadOnlyDocuments;
  workspaceState: vscode.Memento;
  log: vscode.LogOutputChannel;
}

export class Chat {
  readonly #deps: ChatDeps;
  /** Opening and closing sessions happens one after another. */
  #switching: Promise<void> = Promise.resolve();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  /** Opens the session of before the reload, else a new one. */
  async start(): Promise<void> {
    const id = this.#deps.workspaceState.get<string>(CURRENT_SESSION);
    await this.#switchTo(async () => {
      if (id) {
        try {
          return await this.#deps.sessions.open(id);
        } catch (error) {
          this.#deps.log.warn(`Session ${id} could not be opened again.`, error);
          void vscode.window.showWarningMessage(
            `The last session could not be opened: ${error instanceof Error ? error.message : String(error)} A new one was started; the old one is kept.`,
          );
        }
      }
      return this.#deps.sessions.create();
    });
    // Not awaited: a server that does not answer must not hold up the activation.
    void this.#refreshModels();
  }

  async reveal(): Promise<void> {
    await this.#deps.view.reveal();
  }

  async newSession(): Promise<void> {
    await this.reveal();
    if (await this.#mayLeave()) await this.#switchTo(() => this.#deps.sessions.create());
  }

  async resumeSession(id?: string): Promise<void> {
    const chosen = id ?? (await pickSession(await this.#summaries()));
    if (chosen === undefined || chosen === this.#session?.id || !(await this.#mayLeave())) return;
    await this.#switchTo(() => this.#deps.sessions.open(chosen));
    await this.reveal();
  }

  async postSessions(): Promise<void> {
    this.#deps.view.post({ type: 'sessions', sessions: await this.#summaries() });
  }

  stop(): void {
    this.#session?.driver.stop();
  }

  /** `focus`: what the summary should dwell on. */
  compact(focus?: string): void {
    this.#session?.driver.compact(focus);
  }

  async toggleSkills(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    const found = await session.discoverSkills();
    for (const { file, reason, usable } of found.problems) {
      this.#deps.log.warn(`${usable ? 'Skill with a fault' : 'Skill not usable'}: ${file}: ${reason}`);
    }
    const names = await pickSkills(found, session.state.settings.enabledSkills);
    if (!names) return;
    await session.driver.setEnabledSkills(names);
    this.#deps.controller.refreshState();
  }

  async showContextReport(): Promise<void> {
    const report = this.#session?.contextReport();
    if (!report) void vscode.window.showInformationMessage('Nothing was sent to a model in this session yet.');
    else await this.#deps.documents.show('Context report.md', renderContextReport(report));
  }

  async setApiKey(known?: ProviderId): Promise<void> {
    const provider = await this.#deps.keys.askAndStore(known);
    if (!provider) return;
    await this.#refreshModels();
    if (this.#session?.state.settings.model.provider === provider) {
      void vscode.window.showInformationMessage('The API key is stored.');
      return;
    }
    const choose = 'Select Model';
    const answer = await vscode.window.showInformationMessage(
      'The API key is stored. Which model should be used?',
      choose,
    );
    if (answer === choose) await this.selectModel();
  }

  async selectModel(id?: string): Promise<void> {
    const session = this.#session;
    if (!session) return;
    const current = session.state.settings.model;
    const ref: ModelRef | undefined = id ? parseModelId(id) : await pickModel(this.#deps.models.choices(), current);
    if (!ref) return;
    await session.driver.selectModel(ref);
    await settings.setModel(ref);
    this.#sayPriceOfSwitch(session, ref);
    if (await this.#deps.models.needsKey(ref)) void this.#offerKey(ref);
    this.#deps.controller.refreshState();
  }

  /** Said when the model is chosen, not when the first message fails. */
  async #offerKey(ref: ModelRef): Promise<void> {
    const set = 'Set API Key';
    const answer = await vscode.window.showInformationMessage(`${ref.model} needs an API key.`, set);
    if (answer === set) await this.setApiKey(ref.provider);
  }

  /** Another model has nothing of this conversation in its cache; the user learns that before paying for it. */
  #sayPriceOfSwitch(session: ChatSession, ref: ModelRef): void {
    if (!session.state.hasGeneration) return;
    const { model } = session.state.lineage.active.head;
    if (isSameModel(model, ref)) return;
    const { tokens } = session.chatState().meter;
    session.publish({
      type: 'notice',
      severity: 'info',
      message: `From your next message on ${ref.model} answers. It reads the whole conversation anew once: about ${tokens.toLocaleString('en')} tokens without cache.`,
    });
  }

  async openHistory(): Promise<void> {
    const path = this.#session?.historyPath;
    if (!path) return;
    const uri = vscode.Uri.file(path);
    try {
      await vscode.workspace.fs.stat(uri);
    } catch {
      void vscode.window.showInformationMessage('history.md is written at the first compaction of a session.');
      return;
    }
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Settings changed or trust was granted. A session in which nothing was said follows the model of the settings. */
  async refresh(): Promise<void> {
    const session = this.#session;
    const model = settings.model();
    if (session && !session.state.hasGeneration && !isSameModel(session.state.settings.model, model)) {
      await session.driver.selectModel(model);
    }
    this.#deps.controller.refreshState();
  }

  async dispose(): Promise<void> {
    if (this.#session) await this.#leave(this.#session);
  }

  /** Asks the servers for their models; a server that fails keeps the list it had. */
  async #refreshModels(): Promise<void> {
    await this.#deps.models.refresh(AbortSignal.timeout(MODEL_LIST_TIMEOUT_MS));
    this.#deps.controller.refreshState();
  }

  get #session(): ChatSession | undefined {
    return this.#deps.controller.session;
  }

  async #switchTo(open: () => Promise<ChatSession>): Promise<void> {
    const work = this.#switching.then(() => {
      const old = this.#session;
      const current = old && {
        replacementRefusal: () => old.replacementRefusal(),
        close: () =>
          this.#leave(old).catch((error: unknown) => {
            this.#deps.log.error('The session that was left could not be closed.', error);
          }),
      };
      return replaceConversation(current, open, async (next) => {
        this.#deps.controller.show(next);
        await this.#deps.workspaceState.update(CURRENT_SESSION, next.id);
      });
    });
    this.#switching = work.catch(() => undefined);
    await work.catch((error: unknown) => {
      this.#deps.log.error('The session could not be opened.', error);
      void vscode.window.showErrorMessage(
        `The session could not be opened: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  /** A session in which nothing was said leaves no folder behind. */
  async #leave(session: ChatSession): Promise<void> {
    await session.close();
    if (session.state.hasGeneration) return;
    await this.#deps.store.remove(session.id);
    const { workspaceState } = this.#deps;
    if (workspaceState.get(CURRENT_SESSION) === session.id) await workspaceState.update(CURRENT_SESSION, undefined);
  }

  /** A running turn is not ended by accident: the user decides, and nothing is swapped before all has come to rest. */
  async #mayLeave(): Promise<boolean> {
    const session = this.#session;
    const refusal = session?.replacementRefusal();
    if (!session || refusal === undefined) return true;
    const leave = 'Stop and leave';
    const answer = await vscode.window.showWarningMessage(
      refusal,
      { modal: true, detail: 'Leaving stops it. What was done so far is kept.' },
      leave,
    );
    if (answer !== leave) return false;
    await session.driver.dispose();
    return true;
  }

  async #summaries(): Promise<SessionSummary[]> {
    const { sessions, unreadable } = await this.#deps.store.list();
    for (const { id, problem } of unreadable) this.#deps.log.warn(`Session ${id} cannot be read: ${problem}`);
    const current = this.#session?.id;
    return (
      sessions
        .filter((session) => session.messageCount > 0 || session.id === current)
        // Those of other folders speak of files that are not here.
        .filter((session) => sameRoots(session.roots, workspaceRoots()) || session.id === current)
        .map(({ id, title, updatedAt, messageCount }) => ({
          id,
          title,
          updatedAt,
          messageCount,
          current: id === current,
        }))
    );
  }
}

export function busyContext(state: ChatState): void {
  void vscode.commands.executeCommand('setContext', 'steiner.busy', state.activity.kind !== 'idle');
}
