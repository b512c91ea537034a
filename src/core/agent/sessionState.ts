// The state of one conversation and the only way to change it: every change is a log record first.
import { type LastMainRequest, matchingMainRequest } from '../cache/cacheClock.ts';
import { type BackendState, type JsonValue, standingBackendState } from '../conversation/backendState.ts';
import type { Generation } from '../conversation/generation.ts';
import type { Lineage } from '../conversation/lineage.ts';
import { isRealUserMessage, type Message, type UserPart, userText } from '../conversation/message.ts';
import { isSameModel } from '../conversation/modelId.ts';
import type { Breakpoint, ModelRef } from '../conversation/request.ts';
import { Running } from '../conversation/running.ts';
import type { ParentUsage } from '../policy/statefulTrigger.ts';
import type { SessionRecord, SessionSettings, UsageRecord } from '../sessions/records.ts';
import { SessionSaveError } from '../sessions/saveError.ts';
import { sessionTitle } from '../sessions/title.ts';
import type { Calibration } from '../tokens/calibration.ts';

/** Where records go, in order. A record that cannot be written now is kept and written later. */
export interface SessionWriter {
  append(record: SessionRecord): Promise<void>;
  /** Resolves when all appended records are on disk. Errors: SessionSaveError; the user is told by the writer. */
  flush(): Promise<void>;
}

/** What was delivered ahead of the user's words and stays in force: a few parts, however long the conversation is. */
class DeliveredParts {
  readonly parts: UserPart[];

  constructor({ carried }: Generation) {
    this.parts = carried.filter(isDelivered);
  }

  add(message: Message): void {
    if (message.role === 'user') this.parts.push(...message.parts.filter(isDelivered));
  }
}

const delivered = new Running((generation) => new DeliveredParts(generation));

function isDelivered({ kind }: UserPart): boolean {
  return kind === 'skill_activation' || kind === 'skill_deactivation' || kind === 'note';
}

export class SessionState {
  readonly id: string;
  readonly lineage: Lineage;
  readonly calibration: Calibration;
  readonly #writer: SessionWriter;
  #settings: SessionSettings;
  #title: string;
  #lastTurn: number;
  #lastMainRequest: LastMainRequest | undefined;
  /** Of a stateful provider; carried from turn to turn, never stored. */
  parentUsage: ParentUsage | undefined;
  #backendState: BackendState | undefined;
  #excessTokens: number;
  readonly #callIds = new Set<string>();
  #lastBreakpoints: { generation: number; breakpoints: readonly Breakpoint[] } | undefined;

  constructor(options: {
    id: string;
    lineage: Lineage;
    calibration: Calibration;
    writer: SessionWriter;
    settings: SessionSettings;
    title: string;
    lastTurn: number;
    lastMainRequest?: LastMainRequest | undefined;
    backendState?: BackendState | undefined;
    excessTokens?: number;
  }) {
    this.id = options.id;
    this.lineage = options.lineage;
    this.calibration = options.calibration;
    this.#writer = options.writer;
    this.#settings = options.settings;
    this.#title = options.title;
    this.#lastTurn = options.lastTurn;
    this.#lastMainRequest = options.lastMainRequest;
    this.#backendState = options.backendState;
    this.#excessTokens = options.excessTokens ?? 0;
    for (const message of options.lineage.messages) this.#noteCalls(message);
  }

  get settings(): Readonly<SessionSettings> {
    return this.#settings;
  }

  get title(): string {
    return this.#title;
  }

  get lastTurn(): number {
    return this.#lastTurn;
  }

  get hasGeneration(): boolean {
    return this.lineage.nextGenerationId > 1;
  }

  /** The skill parts and notes that the model has seen or will see in the active generation, in order. */
  get deliveredParts(): readonly UserPart[] {
    return this.hasGeneration ? delivered.of(this.lineage.view()).parts : [];
  }

  /** The model has something to answer: the user's words, tool results, or its own answer that was cut off. */
  get awaitsAnswer(): boolean {
    const last = this.lineage.messages.at(-1);
    return last !== undefined && (last.role !== 'assistant' || last.incomplete === true);
  }

  /** An answer of any generation has a tool call of this id. */
  hasCall(callId: string): boolean {
    return this.#callIds.has(callId);
  }

  /** Cache markers of the active generation's last request; empty at its first one and after a reload. */
  get lastBreakpoints(): readonly Breakpoint[] {
    return this.#lastBreakpoints?.generation === this.lineage.active.id ? this.#lastBreakpoints.breakpoints : [];
  }

  set lastBreakpoints(breakpoints: readonly Breakpoint[]) {
    this.#lastBreakpoints = { generation: this.lineage.active.id, breakpoints };
  }

  /** Undefined: none yet, or the last one went to another model or under another cache key. */
  lastMainRequest(model: ModelRef, cacheKey: string): LastMainRequest | undefined {
    return matchingMainRequest(this.#lastMainRequest, model, cacheKey);
  }

  /** A main model call was answered in full. */
  noteMainRequest(request: LastMainRequest): void {
    this.#lastMainRequest = request;
  }

  /** The active generation's rent meter (`PolicyState.excessTokens`). */
  get excessTokens(): number {
    return this.#excessTokens;
  }

  /** What that model's provider holds of the active generation. Undefined: nothing, or it is not certain. */
  backendState(model: ModelRef): JsonValue | undefined {
    const state = this.#standingBackendState();
    return state && isSameModel(state.model, model) ? state.value : undefined;
  }

  /** The provider holds the conversation up to the last message, which is its answer. */
  async adoptBackendState(model: ModelRef, value: JsonValue): Promise<void> {
    const { generation, retained, appended } = this.lineage.view();
    const answer = appended.at(-1);
    if (answer?.role !== 'assistant') return;
    const messages = retained.length + appended.length;
    const state = { generation: generation.id, model, answer: answer.id, messages, value: structuredClone(value) };
    await this.#writer.append({ type: 'backend_state', state });
    this.#backendState = state;
  }

  /** Drops the active generation's state; there may be none. */
  async retireBackendState(): Promise<void> {
    const state = this.#standingBackendState();
    if (!state) return;
    this.#backendState = undefined;
    await this.#writer.append({ type: 'backend_state_retired', generation: state.generation });
  }

  openTurn(): number {
    this.#lastTurn += 1;
    return this.#lastTurn;
  }

  async append(message: Message): Promise<void> {
    await this.#writer.append({ type: 'message', message });
    this.lineage.append(message);
    this.#noteCalls(message);
    if (this.#title === '' && isRealUserMessage(message)) await this.#setTitle(sessionTitle(userText(message)));
  }

  async addGeneration(generation: Generation): Promise<void> {
    await this.#writer.append({ type: 'generation', generation });
    this.lineage.addGeneration(generation);
    this.#excessTokens = 0;
  }

  async updateSettings(change: Partial<SessionSettings>): Promise<void> {
    const settings = { ...this.#settings, ...change };
    await this.#writer.append({ type: 'settings', settings });
    this.#settings = settings;
  }

  async recordUsage(usage: UsageRecord): Promise<void> {
    await this.#writer.append({ type: 'usage', usage });
    this.calibration.observe(usage.model, usage.rawEstimate, usage.usage.input);
    this.#excessTokens += usage.excessTokens ?? 0;
  }

  async endTurn(turn: number, at: number, end: 'done' | 'stopped' | 'failed' | 'limit'): Promise<void> {
    await this.#writer.append({ type: 'turn_ended', turn, at, end });
    await this.save();
  }

  async record(record: SessionRecord): Promise<void> {
    await this.#writer.append(record);
  }

  /** False: something is not on disk yet. The conversation goes on with what is in memory (case A22). */
  async save(): Promise<boolean> {
    try {
      await this.#writer.flush();
      return true;
    } catch (error) {
      if (error instanceof SessionSaveError) return false;
      throw error;
    }
  }

  #standingBackendState(): BackendState | undefined {
    return this.hasGeneration ? standingBackendState(this.#backendState, this.lineage.view()) : undefined;
  }

  #noteCalls(message: Message): void {
    if (message.role !== 'assistant') return;
    for (const block of message.blocks) if (block.type === 'tool_call') this.#callIds.add(block.callId);
  }

  async #setTitle(title: string): Promise<void> {
    await this.#writer.append({ type: 'title', title });
    this.#title = title;
  }
}
