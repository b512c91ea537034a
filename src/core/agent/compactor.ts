// Compaction as the agent runs it: asks for the summary, adopts the new generation, then archives (invariant 6).
import { placeBreakpoints } from '../cache/breakpoints.ts';
import type { CarryOver } from '../compaction/carryOver.ts';
import type { CompactionOutcome } from '../compaction/compact.ts';
import type { CompactionInput, SummaryTarget } from '../compaction/compactionInput.ts';
import { compactWithFallback } from '../compaction/compactWithFallback.ts';
import { sessionHealth } from '../compaction/escalation.ts';
import { isolatedRequest } from '../compaction/fallback.ts';
import { RemainingEstimate } from '../compaction/remaining.ts';
import type { TextInUse } from '../compaction/textsInUse.ts';
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import type { IdSource } from '../platform/ids.ts';
import { fitRequest } from '../policy/fit.ts';
import { isPlanner } from '../policy/policies.ts';
import type { CompactPlan, PlannerName, PolicyName } from '../policy/policy.ts';
import { afterCompaction } from '../policy/statefulTrigger.ts';
import { ProviderError } from '../providers/provider.ts';
import { requestSnapshot } from '../report/requestSnapshot.ts';
import type { AgentEvent, CompactionResult } from './events.ts';
import { LiveTranscript, withHiddenRetirement } from './liveTranscript.ts';
import { calibratedEstimate, type ModelAccess, type RawEstimator } from './modelAccess.ts';
import { callModel, type ModelCallDeps } from './modelCall.ts';
import type { SessionState } from './sessionState.ts';
import { windowRefusal } from './windowRefusal.ts';

export type CompactionTrigger = 'manual' | 'soft' | 'hard';

export interface HistoryArchive {
  /** Absolute path of history.md. */
  readonly path: string;
  /** Adds to the file. Errors: when it could not be written. */
  append(markdown: string): Promise<void>;
}

export interface CompactorDeps extends ModelCallDeps {
  state: SessionState;
  ids: IdSource;
  archive: HistoryArchive;
  estimateRaw: RawEstimator;
  access(ref: ModelRef): Promise<ModelAccess>;
  /** Tokens at which compaction is due, for a window of that size. */
  softThreshold(contextWindow: number): number;
  /** Asked anew at each compaction that the user asks for; a turn keeps its own. */
  policy(): PolicyName;
  /** As it is now. Undefined: gone, or not to be read unasked. */
  readText(text: TextInUse): Promise<string | undefined>;
  /** The second model for summaries, asked for anew at each compaction. Undefined: none is set. */
  fallback?(cacheKey: string): FallbackChoice | undefined;
}

export interface FallbackChoice {
  /** Milliseconds without a main request after which it is used; not positive: never. */
  after: number;
  /** Errors: there is no such model, or it cannot be called. */
  resolve(): Promise<ModelAccess>;
}

interface CompactionRequest {
  trigger: CompactionTrigger;
  focus?: string | undefined;
  /** Stages of compaction that the run has had already. Default 0. */
  earlierStages?: number;
  /** The turn's policy and what it decided. Absent: the user asked. */
  planned?: { policy: PolicyName; plan: Omit<CompactPlan, 'kind'> };
}

export class Compactor {
  readonly #deps: CompactorDeps;
  readonly #remaining = new RemainingEstimate();
  #requested: { focus: string | undefined } | undefined;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  /** Notes a compaction for the next gap between two model calls. False: one was waiting already. */
  request(request: { focus: string | undefined }): boolean {
    if (this.#requested) return false;
    this.#requested = request;
    return true;
  }

  takeRequest(): { focus: string | undefined } | undefined {
    const request = this.#requested;
    this.#requested = undefined;
    return request;
  }

  /**
   * Errors: ProviderError of the summary call, or the signal's reason; the conversation is unchanged then. The error is
   * marked (`isBackendStateRetired`) if a stateful provider gave up the conversation's transcript on the way.
   */
  async run(
    request: CompactionRequest,
    model: ModelRef,
    signal: AbortSignal,
    access?: ModelAccess,
  ): Promise<CompactionResult> {
    let main = access;
    let transcript: LiveTranscript | undefined;
    const { emit } = this.#deps;
    emit({ type: 'compaction_started', trigger: request.trigger });
    let result: CompactionResult = { applied: false, reason: 'the summary call failed' };
    try {
      main ??= await this.#deps.access(model);
      const refusal = windowRefusal(main);
      if (refusal) {
        emit(refusal);
        result = { applied: false, reason: 'the model’s context window is too small' };
        return result;
      }
      transcript = new LiveTranscript(this.#deps.state, main);
      const outcome = await this.#summarize(request, main, transcript, signal);
      signal.throwIfAborted();
      result = outcome.applied ? await this.#adopt(outcome, main) : outcome;
    } catch (error) {
      if (signal.aborted) result = { applied: false, reason: 'it was stopped' };
      else if (error instanceof ProviderError) result = { applied: false, reason: error.message, advice: error.advice };
      throw transcript?.marked(error) ?? error;
    } finally {
      if (transcript?.cleared) result = { ...result, backendStateCleared: true };
      emit({ type: 'compaction_finished', trigger: request.trigger, result });
    }
    if (result.applied) this.#reportHealth((request.earlierStages ?? 0) + result.stageCount, result, main);
    return result;
  }

  /** What the planner's cut would leave of a prompt of that size. Tokens. */
  remainingTokens(
    promptTokens: number,
    policy: PlannerName,
    access: ModelAccess,
    signal: AbortSignal,
  ): Promise<number> {
    const input = this.#input({ trigger: 'soft' }, access, new LiveTranscript(this.#deps.state, access), signal);
    return this.#remaining.of(promptTokens, input, { policy });
  }

  #summarize(
    request: CompactionRequest,
    access: ModelAccess,
    transcript: LiveTranscript,
    signal: AbortSignal,
  ): Promise<CompactionOutcome> {
    const { state } = this.#deps;
    const choice = this.#deps.fallback?.(state.id);
    return compactWithFallback(this.#input(request, access, transcript, signal), {
      fallback: {
        after: choice?.after ?? 0,
        resolve: choice && (async () => this.#targetOf(await choice.resolve())),
      },
      lastMainRequest: state.lastMainRequest(access.ref, state.id),
      main: access.ref,
    });
  }

  #input(
    request: CompactionRequest,
    access: ModelAccess,
    transcript: LiveTranscript,
    signal: AbortSignal,
  ): CompactionInput {
    const { state, archive, clock } = this.#deps;
    return {
      view: state.lineage.view(),
      // Looked up when it is needed: this is asked for before every call.
      get former() {
        return state.lineage.former();
      },
      trigger: request.trigger,
      focus: request.focus,
      budget: {
        contextWindow: access.capabilities.contextWindow,
        maxOutputTokens: access.capabilities.maxOutputTokens,
      },
      softThreshold: this.#deps.softThreshold(access.capabilities.contextWindow),
      estimate: (each) => this.#estimate(each, access.ref),
      summarize: (each, summarySignal, generation) => {
        // The head may name another model than the one that answers now.
        const unmarked = { ...each, model: access.ref.model };
        const breakpoints = placeBreakpoints(unmarked, { capabilities: access.capabilities });
        const asked = { ...unmarked, breakpoints, ...transcript.carried(generation) };
        const drop = asked.backendState === undefined ? undefined : () => transcript.drop();
        return this.#callForSummary(asked, access, summarySignal, drop);
      },
      carry: access.capabilities.stateful ? undefined : this.#carryOver(request),
      thinkingBudget: access.thinkingBudget,
      cacheKey: state.id,
      nextGenerationId: state.lineage.nextGenerationId,
      now: clock.now(),
      historyPath: archive.path,
      summaryModel: access.ref,
      signal,
    };
  }

  /** Undefined: Steiner's stages alone. */
  #carryOver({ planned }: CompactionRequest): CarryOver | undefined {
    const policy = planned?.policy ?? this.#deps.policy();
    if (!isPlanner(policy)) return undefined;
    const readText = (text: TextInUse) => this.#deps.readText(text);
    return { policy, readText, reason: planned?.plan.reason, priceTokens: planned?.plan.priceTokens };
  }

  #targetOf(access: ModelAccess): SummaryTarget {
    const { ref, capabilities } = access;
    const isolated = (each: ModelRequest) => isolatedRequest(each, ref);
    return {
      ref,
      contextWindow: capabilities.contextWindow,
      maxOutputTokens: capabilities.maxOutputTokens,
      estimate: (each) => this.#estimate(isolated(each), ref),
      summarize: (each, signal) => withHiddenRetirement(this.#callForSummary(isolated(each), access, signal)),
    };
  }

  #estimate(request: ModelRequest, ref: ModelRef): number {
    return calibratedEstimate(request, ref, this.#deps.estimateRaw, this.#deps.state.calibration).tokens;
  }

  #reportHealth(stages: number, { tokensAfter }: { tokensAfter: number }, { capabilities }: ModelAccess): void {
    const fit = fitRequest({ promptTokens: tokensAfter, ...capabilities });
    const hardLimitTokens = capabilities.contextWindow - fit.reservedCompletionTokens - fit.safetyMarginTokens;
    const health = sessionHealth(stages, { promptTokens: tokensAfter, hardLimitTokens });
    this.#deps.emit({ type: 'session_health', ...health });
  }

  async #callForSummary(
    request: ModelRequest,
    access: ModelAccess,
    signal: AbortSignal,
    dropState?: () => Promise<void>,
  ): Promise<string> {
    const { state, ids, clock, estimateRaw } = this.#deps;
    this.#deps.emit({ type: 'api_request', snapshot: requestSnapshot(request, access.ref, 'summary') });
    const deps = { ...this.#deps, emit: (event: AgentEvent) => this.#forwardWait(event) };
    const answer = await callModel(access.provider, request, ids('summary'), signal, deps, dropState);
    signal.throwIfAborted();
    if (answer.usage) {
      await state.recordUsage({
        at: clock.now(),
        kind: 'summary',
        model: access.ref,
        usage: answer.usage,
        // Asked in place, the prompt was the provider's transcript, which is longer than this request: no sample.
        rawEstimate: request.backendState === undefined ? estimateRaw(request, access.ref) : 0,
      });
    }
    return answer.blocks
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n')
      .trim();
  }

  /** The summary's text is no chat message, but a wait for the server concerns the user. */
  #forwardWait(event: AgentEvent): void {
    if (event.type === 'retry_waiting' || event.type === 'retry_resumed') this.#deps.emit(event);
  }

  async #adopt(
    outcome: Extract<CompactionOutcome, { applied: true }>,
    { ref, capabilities: { contextWindow, stateful } }: ModelAccess,
  ): Promise<CompactionResult> {
    const { state, emit } = this.#deps;
    // Noted first: a crash between the two leaves an archive to be written, never a generation without one.
    for (const archive of outcome.archives) await state.record({ type: 'archive_pending', ...archive });
    for (const generation of outcome.generations) {
      await state.addGeneration(generation);
      emit({ type: 'generation', generation });
    }
    if (stateful) state.parentUsage = afterCompaction({ model: ref, contextWindow });
    // Unsaved, the archive stays pending in the log and is written when the session is opened again.
    if (await state.save()) await this.archivePending(outcome.archives);
    const last = outcome.generations.at(-1);
    const tokensAfter = last?.receipt?.tokensAfter ?? 0;
    emit({ type: 'meter', meter: { tokens: tokensAfter, window: contextWindow, source: 'estimated' } });
    return {
      applied: true,
      generationId: last?.id ?? state.lineage.active.id,
      tokensBefore: outcome.generations[0]?.receipt?.tokensBefore ?? 0,
      tokensAfter,
      stage: last?.receipt?.stage ?? 'normal',
      stageCount: outcome.stageCount,
      ...(outcome.fallback ? { fallback: outcome.fallback } : {}),
    };
  }

  /** Appends in order; the first failure warns and leaves the rest for the next load of the session. */
  async archivePending(archives: readonly { generationId: number; markdown: string }[]): Promise<void> {
    const { state, archive, emit } = this.#deps;
    for (const { generationId, markdown } of archives) {
      try {
        await archive.append(markdown);
        await state.record({ type: 'archive_done', generationId });
      } catch (error) {
        emit({
          type: 'notice',
          severity: 'warning',
          message: `history.md could not be written: ${error instanceof Error ? error.message : String(error)}`,
          advice: 'The text is kept in the session and is written when the session is opened again.',
        });
        return;
      }
    }
  }
}
