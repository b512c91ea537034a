// One conversation: takes the user's messages, runs turns one after another, and can be stopped at any moment.
import type { Mode } from '../conversation/message.ts';
import type { ModelRef } from '../conversation/request.ts';
import { ProviderError } from '../providers/provider.ts';
import type { SessionSettings } from '../sessions/records.ts';
import type { Approvals } from './approvals.ts';
import type { Compactor } from './compactor.ts';
import type { AgentEvent, ApprovalAnswer, TurnEnd } from './events.ts';
import { replacementRefusal } from './replacementGuard.ts';
import type { SessionState } from './sessionState.ts';
import type { TurnRunner } from './turn.ts';

export interface DriverDeps {
  state: SessionState;
  turns: TurnRunner;
  compactor: Compactor;
  approvals: Approvals;
  emit(event: AgentEvent): void;
  /** Sub-agents that have not finished. Absent: there are none. */
  runningSubAgents?(): number;
}

/** `/compact`, alone or with what the summary should dwell on. */
const COMPACT_COMMAND = /^\/compact(?:\s+(.*))?$/su;

export class Driver {
  readonly #deps: DriverDeps;
  #running: { abort: AbortController; done: Promise<void>; what: 'turn' | 'compaction' } | undefined;
  #steers: string[] = [];
  #disposed = false;
  /** Changes of settings that are not stored yet. */
  #settingsChanges = 0;

  constructor(deps: DriverDeps) {
    this.#deps = deps;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  get queued(): readonly string[] {
    return this.#steers;
  }

  /** Why no other conversation may take this one's place now, for the user; undefined: it may. */
  replacementRefusal(): string | undefined {
    return replacementRefusal({
      admissions: this.#steers.length + this.#settingsChanges,
      busy: this.busy,
      runningSubAgents: this.#deps.runningSubAgents?.() ?? 0,
    });
  }

  /**
   * Starts a turn, or, while one runs, hands the text to it at its next model call. `/compact` with or without a focus
   * compacts instead.
   */
  send(text: string): void {
    const command = COMPACT_COMMAND.exec(text.trim());
    if (command) {
      this.compact(command[1]);
      return;
    }
    if (this.#running) {
      this.#setSteers([...this.#steers, text]);
      return;
    }
    this.#startTurn([text]);
  }

  /** Goes on after a failed turn without a new user message; does nothing when all is answered. */
  retry(): void {
    if (!this.#running && this.#deps.state.awaitsAnswer) this.#startTurn([]);
  }

  /** Ends what is running at once: the stream is closed, the process tree killed, waits are given up. */
  stop(): void {
    if (this.#deps.compactor.takeRequest()) {
      this.#deps.emit({ type: 'notice', severity: 'info', message: 'The waiting compaction was cancelled.' });
    }
    this.#running?.abort.abort(new StoppedByUser());
  }

  /** Runs now, or before the running turn's next model call. A second request while one waits is the same one. */
  compact(focus?: string): void {
    if (this.#running?.what === 'compaction') return;
    if (this.#running) {
      if (this.#deps.compactor.request({ focus })) {
        this.#deps.emit({
          type: 'notice',
          severity: 'info',
          message: 'The conversation is compacted before the next model call of the running turn.',
        });
      }
      return;
    }
    this.#start('compaction', async (signal) => {
      const { state, emit } = this.#deps;
      if (!state.hasGeneration) {
        emit({ type: 'notice', severity: 'info', message: 'There is no conversation to compact yet.' });
        return;
      }
      await this.#compactNow(focus, signal);
    });
  }

  answerApproval(id: string, answer: ApprovalAnswer): boolean {
    return this.#deps.approvals.answer(id, answer);
  }

  /** Counts from the next turn on; a running turn keeps its model (case A13). */
  async selectModel(model: ModelRef): Promise<void> {
    await this.#changeSettings({ model });
    this.#deps.emit({ type: 'model_changed', model });
  }

  async setMode(mode: Mode): Promise<void> {
    await this.#changeSettings({ mode });
  }

  async setEnabledSkills(names: readonly string[]): Promise<void> {
    await this.#changeSettings({ enabledSkills: [...names] });
  }

  /**
   * Stops and resolves when nothing of this conversation runs any more. Text that no turn took is stored as said, so
   * that it is there when the session is opened again.
   */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.stop();
    await this.#running?.done;
    const texts = this.#takeSteers();
    if (texts.length > 0) await this.#deps.turns.keep(texts);
  }

  async #changeSettings(change: Partial<SessionSettings>): Promise<void> {
    this.#settingsChanges += 1;
    try {
      await this.#deps.state.updateSettings(change);
    } finally {
      this.#settingsChanges -= 1;
    }
  }

  #startTurn(texts: string[]): void {
    this.#start('turn', async (signal) => {
      const end = await this.#deps.turns.run(texts, signal, () => this.#takeSteers());
      await this.#afterTurn(end, signal);
    });
  }

  /**
   * What was asked for too late for the turn's last model call: a compaction is run, text opens the next turn. After a
   * stop or failure the text goes back to the user.
   */
  async #afterTurn(end: TurnEnd, signal: AbortSignal): Promise<void> {
    const { compactor, turns, emit } = this.#deps;
    const compaction = compactor.takeRequest();
    if (compaction && !signal.aborted) await this.#compactNow(compaction.focus, signal);
    if (this.#disposed) return;
    const late = this.#takeSteers();
    if (late.length === 0) return;
    if (end !== 'done' || signal.aborted) {
      emit({ type: 'returned_text', text: late.join('\n\n') });
      return;
    }
    await this.#afterTurn(await turns.run(late, signal, () => this.#takeSteers()), signal);
  }

  /** A failed summary call was told by `compaction_finished` and has changed nothing. */
  async #compactNow(focus: string | undefined, signal: AbortSignal): Promise<void> {
    const { state, compactor } = this.#deps;
    try {
      await compactor.run({ trigger: 'manual', focus }, state.settings.model, signal);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
  }

  #start(what: 'turn' | 'compaction', work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    // Begun in a microtask: a listener of `busy` that sends something must find this run in place.
    const done = Promise.resolve()
      .then(() => work(abort.signal))
      .catch((error: unknown) => {
        if (error instanceof StoppedByUser) return;
        this.#deps.emit({
          type: 'notice',
          severity: 'error',
          message: `Something went wrong: ${error instanceof Error ? error.message : String(error)}`,
          advice: 'The conversation is kept. Try again, and report the problem if it comes back.',
          action: 'retry',
        });
      })
      .finally(() => {
        this.#running = undefined;
        this.#deps.emit({ type: 'idle' });
        this.#sendLeftovers(abort.signal);
      });
    this.#running = { abort, done, what };
    this.#deps.emit({ type: 'busy', what });
  }

  /** What was typed during a compaction is sent once it is over. */
  #sendLeftovers(signal: AbortSignal): void {
    if (this.#disposed) return;
    const texts = this.#takeSteers();
    if (texts.length === 0) return;
    if (signal.aborted) this.#deps.emit({ type: 'returned_text', text: texts.join('\n\n') });
    else this.#startTurn(texts);
  }

  #takeSteers(): string[] {
    const texts = this.#steers;
    if (texts.length > 0) this.#setSteers([]);
    return texts;
  }

  #setSteers(texts: string[]): void {
    this.#steers = texts;
    this.#deps.emit({ type: 'queued', texts });
  }
}

/** The abort reason of Stop; never shown as an error. */
export class StoppedByUser extends Error {
  constructor() {
    super('stopped by the user');
    this.name = 'StoppedByUser';
  }
}
