// One open session: the agent core wired to this window, and what the chat reads from it.
import type { Compactor } from '../../core/agent/compactor.ts';
import type { Driver } from '../../core/agent/driver.ts';
import type { AgentEvent, Meter } from '../../core/agent/events.ts';
import type { SessionState } from '../../core/agent/sessionState.ts';
import { formatModelId } from '../../core/conversation/modelId.ts';
import type { ContextReport } from '../../core/report/contextReport.ts';
import type { OpenSession } from '../../core/sessions/openSession.ts';
import type { SkillDiscovery } from '../../core/skills/discovery.ts';
import type { ChatState } from '../../protocol.ts';
import { ActivityTracker } from '../chat/activity.ts';
import type { Transcript } from '../chat/transcript.ts';
import type { Models } from '../models.ts';

/** Events after which the chat's state line may read differently. */
const STATE_EVENTS: ReadonlySet<AgentEvent['type']> = new Set(['queued', 'meter', 'model_changed', 'user_message']);

export interface ChatSessionFactory {
  /** Errors: SessionSaveError when the storage folder cannot be written. */
  create(): Promise<ChatSession>;
  /** Errors: when the session is missing, damaged, or open in another window. */
  open(id: string): Promise<ChatSession>;
}

export interface ChatSessionParts {
  stored: OpenSession;
  state: SessionState;
  driver: Driver;
  compactor: Compactor;
  transcript: Transcript;
  models: Models;
  discoverSkills(): Promise<SkillDiscovery>;
  /** Undefined: nothing was sent yet. */
  contextReport(): ContextReport | undefined;
}

export class ChatSession {
  readonly state: SessionState;
  readonly driver: Driver;
  readonly transcript: Transcript;
  readonly discoverSkills: () => Promise<SkillDiscovery>;
  readonly contextReport: () => ContextReport | undefined;
  readonly #parts: ChatSessionParts;
  readonly #activity = new ActivityTracker();
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  #skillNames: string[] = [];
  #onClosed: () => void = () => undefined;
  #meter: Meter;

  constructor(parts: ChatSessionParts, meter: Meter) {
    this.#parts = parts;
    this.state = parts.state;
    this.driver = parts.driver;
    this.transcript = parts.transcript;
    this.contextReport = parts.contextReport;
    this.discoverSkills = async () => {
      const found = await parts.discoverSkills();
      this.#skillNames = found.skills.map((skill) => skill.name);
      return found;
    };
    this.#meter = meter;
  }

  get id(): string {
    return this.#parts.stored.id;
  }

  get historyPath(): string {
    return this.#parts.stored.folder.history;
  }

  /** Returns its own unsubscribe. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hands an event of the core to whoever listens. */
  publish(event: AgentEvent): void {
    if (event.type === 'meter') this.#meter = event.meter;
    // While the session is being opened nobody listens yet; what is said then must still be seen.
    if (this.#listeners.size === 0) this.transcript.apply(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** Must be called once for each event, before `chatState` is read. */
  stateChangedBy(event: AgentEvent): boolean {
    return this.#activity.apply(event) || STATE_EVENTS.has(event.type);
  }

  chatState(): ChatState {
    const { models } = this.#parts;
    const { model, mode, enabledSkills } = this.state.settings;
    const names = [...new Set([...this.#skillNames, ...enabledSkills])];
    return {
      sessionId: this.id,
      title: this.state.title || 'New session',
      model: { id: formatModelId(model), label: models.describe(model).label },
      models: models.choices().map(({ ref, label, detail }) => ({ id: formatModelId(ref), label, detail })),
      mode,
      skills: names.map((name) => ({ name, enabled: enabledSkills.includes(name) })),
      activity: this.#activity.current,
      // The window is that of the chosen model, so a switch shows at once (case A13).
      meter: { ...this.#meter, window: models.capabilities(model).contextWindow },
      queued: [...this.driver.queued],
    };
  }

  /** The whole text of a tool's result, as the model received it or as it was saved. */
  wholeOutput(callId: string): string | undefined {
    const message = this.state.lineage.messages.find((each) => each.role === 'tool' && each.callId === callId);
    return message?.role === 'tool' ? message.content : undefined;
  }

  /** See `Driver.replacementRefusal`. */
  replacementRefusal(): string | undefined {
    return this.driver.replacementRefusal();
  }

  /** Stops what runs, saves, and gives the session's lock back. */
  async close(): Promise<void> {
    // Stopping still has things to tell, so listeners go last.
    await this.driver.dispose();
    this.#listeners.clear();
    this.#onClosed();
    await this.#parts.stored.close();
  }

  /** Called once, when the session is closed. */
  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }
}
