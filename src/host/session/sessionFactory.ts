// Builds a chat session: the agent core over a stored session, this window's workspace and the settings.
import * as vscode from 'vscode';
import { Approvals } from '../../core/agent/approvals.ts';
import { Compactor } from '../../core/agent/compactor.ts';
import { Driver } from '../../core/agent/driver.ts';
import type { AgentEvent } from '../../core/agent/events.ts';
import { FallbackTargets } from '../../core/agent/fallbackTargets.ts';
import { PromptKeeper } from '../../core/agent/promptKeeper.ts';
import { SessionState } from '../../core/agent/sessionState.ts';
import { textOnDisk } from '../../core/agent/textOnDisk.ts';
import { TurnRunner } from '../../core/agent/turn.ts';
import type { ModelRef } from '../../core/conversation/request.ts';
import { takeIn } from '../../core/intake/takeIn.ts';
import { systemClock } from '../../core/platform/clock.ts';
import { randomIds } from '../../core/platform/ids.ts';
import { SnapshotStore } from '../../core/report/snapshotStore.ts';
import type { OpenSession } from '../../core/sessions/openSession.ts';
import type { SessionSettings } from '../../core/sessions/records.ts';
import { replay } from '../../core/sessions/replay.ts';
import type { SessionSaveError } from '../../core/sessions/saveError.ts';
import type { SessionStore } from '../../core/sessions/sessionStore.ts';
import { allTools } from '../../core/tools/registry.ts';
import { Transcript } from '../chat/transcript.ts';
import type { Models } from '../models.ts';
import { settings } from '../settings.ts';
import { sameRoots, workspaceRoots } from '../workspaceRoots.ts';
import { ChatSession, type ChatSessionFactory } from './chatSession.ts';
import { logEvent } from './logEvent.ts';
import { estimateRaw, meterOf, reportOf, softThreshold } from './nextRequest.ts';
import { openingNotices } from './openingNotices.ts';
import { PromptInputs } from './promptInputs.ts';
import { calibrationOf, entriesOf, lineageOf, startingRoots } from './restore.ts';
import { toolSurroundings } from './toolSurroundings.ts';

export interface SessionFactoryDeps {
  store: SessionStore;
  models: Models;
  log: vscode.LogOutputChannel;
}

export class SessionFactory implements ChatSessionFactory {
  readonly #deps: SessionFactoryDeps;
  readonly #open = new Map<string, ChatSession>();
  readonly #fallbackTargets: FallbackTargets;

  constructor(deps: SessionFactoryDeps) {
    this.#deps = deps;
    this.#fallbackTargets = new FallbackTargets(deps.models);
  }

  /** A setting or an API key changed: what was built from the old ones is built anew. */
  connectionsChanged(): void {
    this.#fallbackTargets.clear();
  }

  async create(): Promise<ChatSession> {
    return this.#buildOrClose(await this.#deps.store.create(workspaceRoots()));
  }

  async open(id: string): Promise<ChatSession> {
    const result = await this.#deps.store.open(id);
    if (result.access === 'write') return this.#buildOrClose(result.session);
    if (result.why.reason === 'newer_format') {
      throw new Error('The session was written by a newer version of Steiner. Update the extension to open it.');
    }
    throw new Error('The session is open in another window. Go on there, or close it first.');
  }

  /** Shown in the chat of the session, where the user looks. */
  saveStateChanged(sessionId: string, problem: SessionSaveError | undefined): void {
    const notice: AgentEvent = problem
      ? { type: 'notice', severity: 'error', message: problem.message, advice: problem.advice }
      : { type: 'notice', severity: 'info', message: 'Saving works again; everything is on disk.' };
    this.#open.get(sessionId)?.publish(notice);
  }

  /** A session that cannot be built must not keep its lock: the next try would find it in use. */
  async #buildOrClose(stored: OpenSession): Promise<ChatSession> {
    try {
      return await this.#build(stored);
    } catch (error) {
      await stored.close();
      throw error;
    }
  }

  async #build(stored: OpenSession): Promise<ChatSession> {
    const { models, log } = this.#deps;
    const replayed = replay(stored.records);
    const { lineage, damaged } = lineageOf(stored.records);
    const damagedLines = stored.badLines.length + damaged;
    if (damagedLines > 0) log.warn(`${damagedLines} damaged lines of ${stored.folder.log} were passed over.`);
    const startedIn = startingRoots(stored.records);
    const inOtherFolder = lineage.messages.length > 0 && !sameRoots(startedIn, workspaceRoots());
    const restored = replayed.settings ?? initialSettings();
    const state = new SessionState({
      id: stored.id,
      lineage,
      calibration: calibrationOf(stored.records),
      writer: stored,
      // Allowances were given for the files of another folder.
      settings: inOtherFolder ? { ...restored, approvals: [] } : restored,
      title: replayed.title,
      lastTurn: replayed.lastTurn,
      lastMainRequest: replayed.lastMainRequest,
      backendState: replayed.backendState,
      excessTokens: replayed.excessTokens,
    });
    const tools = allTools();
    const transcript = new Transcript({
      titleOf: (call) => {
        const tool = tools.find((each) => each.name === call.name);
        const input = tool?.input.safeParse(call.input);
        return tool && input?.success ? tool.title(input.data) : '';
      },
      now: systemClock.now,
    });
    transcript.load(entriesOf(stored.records));
    const { awaitsAnswer } = state;
    for (const notice of openingNotices({
      roots: workspaceRoots(),
      startedIn,
      inOtherFolder,
      damagedLines,
      awaitsAnswer,
    })) {
      transcript.notice(notice);
    }

    const snapshots = new SnapshotStore();
    let session: ChatSession | undefined;
    const emit = (event: AgentEvent) => {
      logEvent(log, event);
      if (event.type === 'api_request') snapshots.store(event.snapshot);
      session?.publish(event);
    };
    const access = (ref: ModelRef) => models.access(ref);
    const shared = {
      state,
      clock: systemClock,
      ids: randomIds,
      random: Math.random,
      emit,
      access,
      estimateRaw,
      softThreshold,
    };
    const inputs = new PromptInputs(tools);
    const approvals = new Approvals({
      ids: randomIds,
      emit,
      isAllowed: (key) => state.settings.approvals.includes(key),
      allow: (key) => state.updateSettings({ approvals: [...state.settings.approvals, key] }),
    });
    const surroundings = await toolSurroundings(stored.folder.path);
    const compactor = new Compactor({
      ...shared,
      policy: settings.policy,
      readText: (text) => textOnDisk(text, surroundings.files),
      archive: stored.history,
      fallback: (cacheKey) => this.#fallbackTargets.choose(settings.compactionFallback(), cacheKey),
    });
    const prompt = new PromptKeeper({ ...shared, sources: inputs });
    const turns = new TurnRunner({
      ...shared,
      prompt,
      compactor,
      policy: settings.policy,
      maxModelCalls: settings.maxModelCalls,
      readAnnotations: settings.readAnnotations,
      tools: {
        tools,
        context: { ...surroundings, history: state.lineage },
        approvals,
        ids: randomIds,
        mode: () => state.settings.mode,
        trusted: () => vscode.workspace.isTrusted,
        takeIn: (call, outcome, maxBytes) =>
          takeIn(call, outcome, (callId, text) => stored.saveResult(callId, text), maxBytes),
      },
    });
    const driver = new Driver({ state, turns, compactor, approvals, emit });
    session = new ChatSession(
      {
        stored,
        state,
        driver,
        compactor,
        transcript,
        models,
        discoverSkills: () => inputs.discoverSkills(),
        contextReport: () => reportOf(state, models, snapshots, workspaceRoots()),
      },
      meterOf(state, models),
    );
    this.#open.set(stored.id, session);
    session.onClosed(() => this.#open.delete(stored.id));
    prompt.replaySkills();
    await compactor.archivePending(replayed.pendingArchives);
    // The chat shows how many skills there are before the first one is toggled.
    await session.discoverSkills();
    return session;
  }
}

function initialSettings(): SessionSettings {
  return { model: settings.model(), mode: 'build', enabledSkills: settings.skillsEnabledByDefault(), approvals: [] };
}
