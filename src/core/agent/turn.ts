// One turn: a user message and all model calls until the agent stops.
import { interruptedResults } from '../conversation/repair.ts';
import { ProviderError } from '../providers/provider.ts';
import type { NoticeAction, TurnEnd } from './events.ts';
import type { TakeSteers, TurnDeps } from './turnDeps.ts';
import { TurnLoop } from './turnLoop.ts';
import { windowRefusal } from './windowRefusal.ts';

export class TurnRunner {
  readonly #deps: TurnDeps;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /** Runs to the end of the turn; failures become a notice and `failed`. Errors: only what nobody foresaw. */
  async run(texts: readonly string[], signal: AbortSignal, takeSteers: TakeSteers): Promise<TurnEnd> {
    const { state, clock, emit } = this.#deps;
    const turn = state.openTurn();
    emit({ type: 'turn_started', turn });
    let end: TurnEnd = 'failed';
    try {
      const access = await this.#deps.access(state.settings.model);
      await this.#deps.prompt.prepare(access);
      await this.#answerOpenCalls();
      if (texts.length > 0) await this.#addUserMessage(texts, turn);
      const refusal = windowRefusal(access);
      if (refusal) emit(refusal);
      else end = await new TurnLoop(this.#deps, access, turn, signal, takeSteers).run();
    } catch (error) {
      if (signal.aborted) end = 'stopped';
      else if (error instanceof ProviderError) this.#explain(error);
      else throw error;
    } finally {
      await this.#answerOpenCalls();
      await state.endTurn(turn, clock.now(), end);
      emit({ type: 'turn_finished', turn, end });
    }
    return end;
  }

  /** Stores what the user said without asking the model: the window closes before a turn could take it. */
  async keep(texts: readonly string[]): Promise<void> {
    const { state, prompt } = this.#deps;
    if (!state.hasGeneration) await prompt.prepare(await this.#deps.access(state.settings.model));
    await this.#addUserMessage(texts, state.openTurn());
    await state.save();
  }

  async #addUserMessage(texts: readonly string[], turn: number): Promise<void> {
    const message = await this.#deps.prompt.userMessage(texts, turn);
    await this.#deps.state.append(message);
    this.#deps.emit({ type: 'user_message', message });
  }

  /** A call left open by a stop, a crash or a reload is answered once, for good (design invariant 4). */
  async #answerOpenCalls(): Promise<void> {
    const { state, ids, clock, emit } = this.#deps;
    if (!state.hasGeneration) return;
    for (const message of interruptedResults(state.lineage.view(), { ids, now: clock.now() })) {
      await state.append(message);
      emit({ type: 'tool_finished', message });
    }
  }

  #explain(error: ProviderError): void {
    this.#deps.emit({
      type: 'notice',
      severity: 'error',
      message: error.message,
      advice: error.advice,
      action: actionFor(error),
    });
  }
}

function actionFor(error: ProviderError): NoticeAction {
  switch (error.kind) {
    case 'no_key':
    case 'auth':
      return 'set_api_key';
    case 'unknown_model':
      return 'select_model';
    case 'too_long':
      return 'context_report';
    default:
      return 'retry';
  }
}
