// One turn: a user message and all model calls until the agent stops.
import { placeBreakpoints } from '../cache/breakpoints.ts';
import type {
  AssistantBlock,
  AssistantMessage,
  StopReason,
  ToolCallBlock,
  ToolMessage,
} from '../conversation/message.ts';
import { projectRequest } from '../conversation/project.ts';
import { interruptedResults } from '../conversation/repair.ts';
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import { dedupRead } from '../intake/readDedup.ts';
import type { IdSource } from '../platform/ids.ts';
import { fitRequest } from '../policy/fit.ts';
import type { Policy } from '../policy/policy.ts';
import { ProviderError } from '../providers/provider.ts';
import { requestSnapshot } from '../report/requestSnapshot.ts';
import { smallWindowResultBytes } from '../tokens/smallWindow.ts';
import type { CompactionTrigger, Compactor } from './compactor.ts';
import type { NoticeAction, TurnEnd } from './events.ts';
import { calibratedEstimate, type ModelAccess, type RawEstimator } from './modelAccess.ts';
import { callModel, type ModelAnswer, type ModelCallDeps } from './modelCall.ts';
import type { PromptKeeper } from './promptKeeper.ts';
import type { SessionState } from './sessionState.ts';
import { runToolCalls, type ToolExecutionDeps } from './toolExecution.ts';
import { windowRefusal } from './windowRefusal.ts';

/** Answers in a row whose calls come to nothing, after which the turn ends instead of burning money. */
const MAX_FRUITLESS_ROUNDS = 3;

export interface TurnDeps extends ModelCallDeps {
  state: SessionState;
  prompt: PromptKeeper;
  compactor: Compactor;
  policy: Policy;
  tools: Omit<ToolExecutionDeps, 'store' | 'emit'>;
  ids: IdSource;
  estimateRaw: RawEstimator;
  access(ref: ModelRef): Promise<ModelAccess>;
  softThreshold(contextWindow: number): number;
  maxModelCalls(): number;
  /** A read whose text stands in the conversation already is taken in as a note. */
  readAnnotations(): boolean;
}

type TakeSteers = () => string[];

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

/** A request that fits, with the raw estimate that its usage is compared with: the estimator is asked once a call. */
interface FittedRequest {
  request: ModelRequest;
  raw: number;
}

/** The model calls of one turn. */
class TurnLoop {
  readonly #deps: TurnDeps;
  readonly #access: ModelAccess;
  readonly #turn: number;
  readonly #signal: AbortSignal;
  readonly #takeSteers: TakeSteers;
  /** A compaction that did not help is not repeated within the turn (case A7). */
  #compactionHelps = true;
  /** Stages of compaction that this turn needed; the user's own are not counted. */
  #compactionStages = 0;
  #fruitlessRounds = 0;
  /** The calls of the last round, if all of them failed. */
  #lastFailure: string | undefined;

  constructor(deps: TurnDeps, access: ModelAccess, turn: number, signal: AbortSignal, takeSteers: TakeSteers) {
    this.#deps = deps;
    this.#access = access;
    this.#turn = turn;
    this.#signal = signal;
    this.#takeSteers = takeSteers;
  }

  async run(): Promise<TurnEnd> {
    const limit = this.#deps.maxModelCalls();
    for (let call = 1; call <= limit; call++) {
      this.#signal.throwIfAborted();
      await this.#addSteers();
      const answer = await this.#callWithRoom();
      const calls = await this.#storeAnswer(answer);
      if (calls.length > 0) await this.#runTools(calls);
      if (answer.incomplete || this.#signal.aborted) return 'stopped';
      if (calls.length > 0) {
        if (this.#givesUp(calls)) return 'failed';
        continue;
      }
      if (await this.#addSteers()) continue;
      if (answer.blocks.length === 0) return this.#explainEmptyAnswer();
      this.#explainEnd(answer.stopReason);
      return 'done';
    }
    this.#deps.emit({
      type: 'notice',
      severity: 'warning',
      message: `The turn was paused after ${limit} model calls.`,
      advice: 'Go on if the work is on track, or raise the limit in the settings.',
      action: 'retry',
    });
    return 'limit';
  }

  /** What the user typed meanwhile joins as one user message between two model calls. */
  async #addSteers(): Promise<boolean> {
    const texts = this.#takeSteers();
    if (texts.length === 0) return false;
    const message = await this.#deps.prompt.userMessage(texts, this.#turn);
    await this.#deps.state.append(message);
    this.#deps.emit({ type: 'user_message', message });
    return true;
  }

  async #callWithRoom(): Promise<ModelAnswer & { messageId: string; rawEstimate: number }> {
    const manual = this.#deps.compactor.takeRequest();
    if (manual) await this.#compact('manual', manual.focus);
    const fitted = await this.#fittingRequest();
    try {
      return await this.#call(fitted);
    } catch (error) {
      // The server counts more than we estimated: make room once, then say so.
      if (!(error instanceof ProviderError) || error.kind !== 'too_long' || !this.#compactionHelps) throw error;
      await this.#compact('hard');
      return await this.#call(await this.#fittingRequest());
    }
  }

  /** Compacts first where the policy says so. Errors: ProviderError `too_long` when nothing makes it fit. */
  async #fittingRequest(): Promise<FittedRequest> {
    const { capabilities, ref } = this.#access;
    for (;;) {
      const request = this.#project();
      const { tokens, raw } = this.#estimate(request);
      const fit = fitRequest({ promptTokens: tokens, ...capabilities });
      this.#deps.emit({
        type: 'meter',
        meter: { tokens, window: capabilities.contextWindow, source: 'estimated' },
      });
      const decision = this.#deps.policy.decide({
        promptTokens: tokens,
        contextWindow: capabilities.contextWindow,
        softThreshold: this.#deps.softThreshold(capabilities.contextWindow),
        fits: fit.fits,
      });
      if (decision.kind === 'compact' && this.#compactionHelps) {
        await this.#compact(decision.trigger);
        continue;
      }
      if (!fit.fits) throw doesNotFit(tokens, capabilities.contextWindow, ref);
      return { request: { ...request, maxOutputTokens: fit.reservedCompletionTokens }, raw };
    }
  }

  /** Errors: ProviderError for a hard trigger; otherwise the turn goes on with the conversation as it is. */
  async #compact(trigger: CompactionTrigger, focus?: string): Promise<void> {
    const { compactor, emit } = this.#deps;
    const request = { trigger, focus, earlierStages: trigger === 'manual' ? 0 : this.#compactionStages };
    let reason: string | undefined;
    try {
      const result = await compactor.run(request, this.#access.ref, this.#signal, this.#access);
      if (result.applied) {
        if (trigger !== 'manual') this.#compactionStages += result.stageCount;
        return;
      }
      reason = result.reason;
    } catch (error) {
      if (trigger === 'hard' || !(error instanceof ProviderError)) throw error;
      reason = error.message;
    }
    if (trigger !== 'manual') this.#compactionHelps = false;
    if (trigger === 'soft') {
      emit({
        type: 'notice',
        severity: 'warning',
        message: `The conversation is long, but it was not compacted: ${reason}`,
        advice: 'The context report names the largest parts. A long AGENTS.md can be switched off in the settings.',
        action: 'context_report',
      });
    }
  }

  #project(): ModelRequest {
    const { state } = this.#deps;
    return projectRequest(state.lineage.view(), {
      maxOutputTokens: this.#access.capabilities.maxOutputTokens,
      thinkingBudget: this.#access.thinkingBudget,
      cacheKey: state.id,
    });
  }

  #estimate(request: ModelRequest) {
    return calibratedEstimate(request, this.#access.ref, this.#deps.estimateRaw, this.#deps.state.calibration);
  }

  async #call({ request, raw }: FittedRequest): Promise<ModelAnswer & { messageId: string; rawEstimate: number }> {
    const { capabilities, provider, ref } = this.#access;
    const { state } = this.#deps;
    const breakpoints = placeBreakpoints(request, { previous: state.lastBreakpoints, capabilities });
    const messageId = this.#deps.ids('answer');
    this.#deps.emit({ type: 'api_request', snapshot: requestSnapshot(request, ref, 'main') });
    const answer = await callModel(provider, { ...request, breakpoints }, messageId, this.#signal, this.#deps);
    state.lastBreakpoints = breakpoints;
    const at = this.#deps.clock.now();
    const { cacheKey } = request;
    if (!answer.incomplete) state.noteMainRequest({ at, model: ref, cacheKey });
    if (answer.usage) {
      await state.recordUsage({
        at,
        kind: 'main',
        model: ref,
        usage: answer.usage,
        rawEstimate: raw,
        ...(answer.incomplete ? {} : { cacheKey }),
      });
      const { input } = answer.usage;
      this.#deps.emit({
        type: 'meter',
        meter: { tokens: input, window: capabilities.contextWindow, source: 'reported' },
      });
    }
    return { ...answer, messageId, rawEstimate: raw };
  }

  async #storeAnswer(answer: ModelAnswer & { messageId: string }): Promise<ToolCallBlock[]> {
    const message: AssistantMessage = {
      id: answer.messageId,
      role: 'assistant',
      at: this.#deps.clock.now(),
      turn: this.#turn,
      model: this.#access.ref,
      blocks: answer.blocks.map((block) => this.#withUniqueCallId(block)),
      stopReason: answer.stopReason,
      ...(answer.incomplete ? { incomplete: true } : {}),
      ...(answer.usage ? { usage: answer.usage } : {}),
    };
    // An answer without any block has nothing to keep and may not stand in a request.
    if (message.blocks.length > 0) await this.#deps.state.append(message);
    this.#deps.emit({ type: 'assistant_message', message });
    return message.blocks.filter((block) => block.type === 'tool_call');
  }

  /** Some servers number calls anew in every answer; an id that was ever stored is replaced (case A5). */
  #withUniqueCallId(block: AssistantBlock): AssistantBlock {
    if (block.type !== 'tool_call' || !this.#deps.state.hasCall(block.callId)) return block;
    return { ...block, callId: this.#deps.ids('call') };
  }

  async #runTools(calls: ToolCallBlock[]): Promise<void> {
    const { state, emit, tools } = this.#deps;
    const maxBytes = smallWindowResultBytes(this.#access.capabilities.contextWindow, calls.length);
    await runToolCalls(calls, this.#turn, this.#signal, {
      ...tools,
      emit,
      takeIn: async (call, outcome) => {
        const taken = await tools.takeIn(call, outcome, maxBytes);
        return this.#deps.readAnnotations() ? dedupRead(call, taken, state.lineage.view()) : taken;
      },
      store: async (message) => {
        await state.append(message);
        this.#reportAnnotation(message);
      },
    });
  }

  #reportAnnotation({ callId, detail }: ToolMessage): void {
    if (!detail?.sameAs || !detail.lines || detail.path === undefined) return;
    const { path, lines, sameAs } = detail;
    this.#deps.emit({ type: 'file_annotation', callId, path, lines, previousTurn: sameAs.turn });
  }

  /** Rounds in which no call could be run, or the same calls failed in the same way, burn money for nothing. */
  #givesUp(calls: readonly ToolCallBlock[]): boolean {
    const results = this.#resultsOf(calls);
    const round = results.every(({ status }) => status === 'error')
      ? JSON.stringify(calls.map(({ name, input, problem }) => ({ name, input, problem })))
      : undefined;
    const isFruitless =
      calls.every((call) => this.#cannotRun(call)) || (round !== undefined && round === this.#lastFailure);
    this.#lastFailure = round;
    this.#fruitlessRounds = isFruitless ? this.#fruitlessRounds + 1 : 0;
    if (this.#fruitlessRounds < MAX_FRUITLESS_ROUNDS) return false;
    this.#deps.emit({
      type: 'notice',
      severity: 'error',
      message: `The model sent tool calls that cannot succeed ${MAX_FRUITLESS_ROUNDS} times in a row.`,
      advice: 'Ask for the work in smaller steps, or choose another model.',
      action: 'select_model',
    });
    return true;
  }

  #cannotRun(call: ToolCallBlock): boolean {
    return call.problem !== undefined || !this.#deps.tools.tools.some(({ name }) => name === call.name);
  }

  #resultsOf(calls: readonly ToolCallBlock[]): ToolMessage[] {
    const ids = new Set(calls.map(({ callId }) => callId));
    const { appended } = this.#deps.state.lineage.view();
    return appended.filter((message): message is ToolMessage => message.role === 'tool' && ids.has(message.callId));
  }

  #explainEmptyAnswer(): TurnEnd {
    this.#deps.emit({
      type: 'notice',
      severity: 'warning',
      message: 'The model sent an empty answer.',
      advice: 'Try again, or choose another model.',
      action: 'retry',
    });
    return 'failed';
  }

  #explainEnd(reason: StopReason): void {
    const texts: Partial<Record<StopReason, [string, string]>> = {
      max_tokens: ['The answer reached the model’s output limit and was cut.', 'Send "go on" to have it continued.'],
      refusal: ['The model declined to answer.', 'Rephrase the request or choose another model.'],
      context_exceeded: ['The model’s context window is full.', 'Compact the conversation, then go on.'],
    };
    const text = texts[reason];
    if (text) this.#deps.emit({ type: 'notice', severity: 'warning', message: text[0], advice: text[1] });
  }
}

function doesNotFit(tokens: number, window: number, ref: ModelRef): ProviderError {
  return new ProviderError(
    'too_long',
    `The conversation needs about ${tokens.toLocaleString('en')} tokens and does not fit ${ref.model} with its ${window.toLocaleString('en')}.`,
    {
      advice:
        'Shorten the message, or put long text into a file and name it; or choose a model with a larger window. The context report names the largest parts.',
    },
  );
}
