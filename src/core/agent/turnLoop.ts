// The model calls of one turn: make room, call, store, run tools, until there is nothing left to do.
import { placeBreakpoints } from '../cache/breakpoints.ts';
import {
  type AssistantBlock,
  type AssistantMessage,
  isRealUserMessage,
  type ToolCallBlock,
  type ToolMessage,
} from '../conversation/message.ts';
import { projectRequest } from '../conversation/project.ts';
import type { ModelRequest } from '../conversation/request.ts';
import { lastRound } from '../conversation/rounds.ts';
import { dedupRead } from '../intake/readDedup.ts';
import { fitRequest } from '../policy/fit.ts';
import { isPlanner, policyOf } from '../policy/policies.ts';
import type { CompactPlan, Plan, PolicyName, PolicySizes } from '../policy/policy.ts';
import { usualPrices } from '../policy/relativePrices.ts';
import { ProviderError } from '../providers/provider.ts';
import { requestSnapshot } from '../report/requestSnapshot.ts';
import { smallWindowResultBytes } from '../tokens/smallWindow.ts';
import type { TurnEnd } from './events.ts';
import { FruitlessRounds } from './fruitlessRounds.ts';
import { calibratedEstimate, type ModelAccess } from './modelAccess.ts';
import { callModel, type ModelAnswer } from './modelCall.ts';
import { StatefulRun } from './statefulRun.ts';
import { runToolCalls } from './toolExecution.ts';
import type { TakeSteers, TurnDeps } from './turnDeps.ts';
import {
  doesNotFit,
  emptyAnswer,
  endedEarly,
  fruitlessCalls,
  longButNotCompacted,
  pausedAtLimit,
} from './turnNotices.ts';

/** A request that fits, with the raw estimate that its usage is compared with: the estimator is asked once a call. */
interface FittedRequest {
  request: ModelRequest;
  raw: number;
  /** What it carries beyond what a compaction would leave; tokens. Undefined: the policy does not ask. */
  excessTokens: number | undefined;
}

/** The model calls of one turn. */
export class TurnLoop {
  readonly #deps: TurnDeps;
  readonly #access: ModelAccess;
  readonly #turn: number;
  readonly #signal: AbortSignal;
  readonly #takeSteers: TakeSteers;
  /** A compaction that did not help is not repeated within the turn (case A7). */
  #compactionHelps = true;
  /** The same of one that the rent alone had called for; what the window calls for is still tried. */
  #rentHelps = true;
  /** Stages of compaction that this turn needed; the user's own are not counted. */
  #compactionStages = 0;
  readonly #policy: PolicyName;
  readonly #stateful: StatefulRun | undefined;
  readonly #fruitless = new FruitlessRounds();

  constructor(deps: TurnDeps, access: ModelAccess, turn: number, signal: AbortSignal, takeSteers: TakeSteers) {
    this.#deps = deps;
    this.#access = access;
    this.#turn = turn;
    this.#signal = signal;
    this.#takeSteers = takeSteers;
    this.#policy = deps.policy();
    this.#stateful = StatefulRun.of(deps.state, access, deps.softThreshold);
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
      const notice = answer.blocks.length === 0 ? emptyAnswer() : endedEarly(answer.stopReason);
      if (notice) this.#deps.emit(notice);
      return answer.blocks.length === 0 ? 'failed' : 'done';
    }
    this.#deps.emit(pausedAtLimit(limit));
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
    if (manual) await this.#compact({ trigger: 'manual', focus: manual.focus });
    const fitted = await this.#fittingRequest();
    try {
      return await this.#call(fitted);
    } catch (error) {
      // The server counts more than we estimated: make room once, then say so.
      if (!(error instanceof ProviderError) || error.kind !== 'too_long' || !this.#compactionHelps) throw error;
      await this.#compact({ trigger: 'hard', cut: 'maximal', reason: 'window' });
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
      const { plan, excessTokens } = await this.#decide({
        promptTokens: tokens,
        contextWindow: capabilities.contextWindow,
        softThreshold: this.#deps.softThreshold(capabilities.contextWindow),
        fits: fit.fits,
      });
      if (plan.kind === 'compact' && this.#compactionHelps) {
        await this.#compact(plan);
        continue;
      }
      if (!fit.fits) throw doesNotFit(tokens, capabilities.contextWindow, ref);
      return { request: { ...request, maxOutputTokens: fit.reservedCompletionTokens }, raw, excessTokens };
    }
  }

  async #decide(sizes: PolicySizes): Promise<{ plan: Plan; excessTokens: number | undefined }> {
    const { state, compactor, emit } = this.#deps;
    const bySize = { atUserMessage: false, remainingTokens: sizes.promptTokens, excessTokens: 0 };
    const prices = usualPrices(this.#access.capabilities.cache.kind);
    const owned = this.#stateful?.decide(sizes.fits, this.#compactionStages, emit);
    if (owned) return { plan: owned, excessTokens: undefined };
    if (!isPlanner(this.#policy)) {
      return { plan: policyOf(this.#policy).decide({ ...sizes, ...bySize, prices }), excessTokens: undefined };
    }
    const { promptTokens } = sizes;
    const remainingTokens = await compactor.remainingTokens(promptTokens, this.#policy, this.#access, this.#signal);
    const plan = policyOf(this.#policy).decide({
      ...sizes,
      prices,
      remainingTokens,
      atUserMessage: state.lineage.messages.slice(-1).some(isRealUserMessage),
      excessTokens: this.#rentHelps ? state.excessTokens : 0,
    });
    return { plan, excessTokens: promptTokens - remainingTokens };
  }

  /** Errors: ProviderError for a hard trigger; otherwise the turn goes on with the conversation as it is. */
  async #compact(plan: Omit<CompactPlan, 'kind'> | { trigger: 'manual'; focus: string | undefined }): Promise<void> {
    const { compactor, emit } = this.#deps;
    const { trigger } = plan;
    const request =
      'focus' in plan
        ? plan
        : { trigger, earlierStages: this.#compactionStages, planned: { policy: this.#policy, plan } };
    let reason: string | undefined;
    try {
      const result = await compactor.run(request, this.#access.ref, this.#signal, this.#access);
      if (result.applied) {
        if (trigger !== 'manual') this.#compactionStages += result.stageCount;
        this.#stateful?.noteCompaction();
        return;
      }
      reason = result.reason;
    } catch (error) {
      if (trigger === 'hard' || !(error instanceof ProviderError)) throw error;
      reason = error.message;
    }
    if ('reason' in plan && plan.reason === 'rent') {
      this.#rentHelps = false;
      return;
    }
    if (trigger !== 'manual') this.#compactionHelps = false;
    if (trigger === 'soft') emit(longButNotCompacted(reason));
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

  async #call({
    request,
    raw,
    excessTokens,
  }: FittedRequest): Promise<ModelAnswer & { messageId: string; rawEstimate: number }> {
    const { capabilities, provider, ref } = this.#access;
    const { state } = this.#deps;
    const breakpoints = placeBreakpoints(request, { previous: state.lastBreakpoints, capabilities });
    const messageId = this.#deps.ids('answer');
    this.#deps.emit({ type: 'api_request', snapshot: requestSnapshot(request, ref, 'main') });
    const asked = { ...request, breakpoints, ...this.#stateful?.carried() };
    const answer = await callModel(provider, asked, messageId, this.#signal, this.#deps, () =>
      state.retireBackendState(),
    );
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
        ...(excessTokens === undefined ? {} : { excessTokens }),
        ...(answer.incomplete ? {} : { cacheKey }),
      });
      this.#stateful?.noteUsage(answer.usage);
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
    await this.#stateful?.keep(answer, message);
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

  #givesUp(calls: readonly ToolCallBlock[]): boolean {
    const { tools, emit } = this.#deps;
    const names = tools.tools.map(({ name }) => name);
    if (!this.#fruitless.tooMany(calls, this.#latestResults(), names)) return false;
    emit(fruitlessCalls());
    return true;
  }

  #latestResults(): ToolMessage[] {
    return lastRound(this.#deps.state.lineage.view()).calls.flatMap(({ result }) => result ?? []);
  }
}
