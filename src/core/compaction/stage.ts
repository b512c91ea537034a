// One stage of a compaction: from a view to a candidate for the next generation. Nothing is adopted here.
import type { Generation, GenerationView, PlannedReceipt } from '../conversation/generation.ts';
import type { Message, UserPart } from '../conversation/message.ts';
import { projectRequest } from '../conversation/project.ts';
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import { fitRequest } from '../policy/fit.ts';
import { renderHistory, withHistoryNote } from './archive.ts';
import { standingParts } from './carried.ts';
import type { CarryOver } from './carryOver.ts';
import type { CompactionInput } from './compactionInput.ts';
import { earlierMessagesPart } from './earlierMessages.ts';
import { FallbackNotFitError } from './fallback.ts';
import type { CarriedParts } from './maximal.ts';
import { type Retention, retain } from './retention.ts';
import { type StageName, summaryMaxTokens } from './stages.ts';
import { summarizeSource } from './summarize.ts';

/** What a stage starts from. */
export interface Start {
  view: GenerationView;
  /** Messages of earlier generations that the view no longer holds, oldest first. */
  former: readonly Message[];
  /** Calibrated tokens of the next request as it would be without a compaction. */
  tokens: number;
  nextGenerationId: number;
}

export interface Candidate {
  generation: Generation;
  archive: { generationId: number; markdown: string };
  /** What a further stage would start from. */
  end: Start;
  fits: boolean;
}

export type StageResult = { candidate: Candidate } | { reason: string };

/** Errors: those of `summarize`, a summary that the target could not give, and the signal's reason. */
export async function runStage(stage: StageName, start: Start, input: CompactionInput): Promise<StageResult> {
  const retention = retainedBy(stage, start, input);
  if (!retention) return { reason: 'even the latest step alone does not fit the context window' };
  if (retention.dropped.length === 0) return { reason: 'there is nothing old enough to summarize' };
  const summary = await summaryOf(stage, start, retention.source, input, false);
  return 'reason' in summary ? summary : { candidate: candidateOf(stage, start, retention, summary.text, input) };
}

/**
 * `inPlace`: asked of the whole prompt where that fits, tail and thinking included, since the cache holds it like that.
 * Errors: those of `summarize`, a summary that the target could not give, and the signal's reason.
 */
export async function summaryOf(
  stage: StageName,
  { view }: Start,
  source: readonly Message[],
  input: CompactionInput,
  inPlace: boolean,
): Promise<{ text: string } | { reason: string }> {
  const { contextWindow, maxOutputTokens, estimate, summarize } = input.target ?? { ...input, ...input.budget };
  const options = {
    stage,
    focus: input.focus,
    maxOutputTokens: summaryMaxTokens(stage, contextWindow, maxOutputTokens),
    cacheKey: input.cacheKey,
  };
  const summary = await summarizeSource(view, source, options, {
    contextWindow,
    estimate,
    summarize,
    signal: input.signal,
    inOneRequest: input.target !== undefined,
    ...(inPlace && !input.target ? { inPlace: { thinkingBudget: input.thinkingBudget ?? 0, maxOutputTokens } } : {}),
  });
  if (!('problem' in summary)) return summary;
  if (input.target) throw fallbackProblem(summary.problem, input.target.ref);
  return { reason: PROBLEMS[summary.problem] };
}

/** The smallest prompt that the emergency stage could reach: nothing but the fixed part and the latest step. */
export function leastPrompt(start: Start, input: CompactionInput): { tokens: number; fits: boolean } {
  const messages = [...start.view.retained, ...start.view.appended];
  const retained = retain(messages, 'emergency', () => true)?.retained ?? messages;
  return measured(bareGeneration(start, retained, input), retained, input);
}

const NO_PARTS: CarriedParts = { ledger: [], texts: [], paths: [] };

const PROBLEMS = {
  empty: 'the model gave no summary',
  'does not fit': 'what would have to be summarized does not fit the model’s context window',
};

function fallbackProblem(problem: keyof typeof PROBLEMS, ref: ModelRef): Error {
  return problem === 'does not fit' ? new FallbackNotFitError(ref) : new Error(PROBLEMS[problem]);
}

function retainedBy(stage: StageName, start: Start, input: CompactionInput): Retention | undefined {
  const messages = [...start.view.retained, ...start.view.appended];
  return retain(messages, stage, (retained) => measured(bareGeneration(start, retained, input), retained, input).fits);
}

export function candidateOf(
  stage: StageName,
  start: Start,
  { retained, dropped }: Pick<Retention, 'retained' | 'dropped'>,
  summary: string,
  input: CompactionInput,
  parts: CarriedParts = NO_PARTS,
): Candidate {
  const { view, former, nextGenerationId: id } = start;
  const past = [...former, ...dropped];
  const all = [...view.retained, ...view.appended];
  const generation = nextGeneration(start, { retained, dropped }, summary, input, parts);
  const { tokens, fits } = measured(generation, retained, input);
  generation.receipt = {
    stage,
    trigger: input.trigger,
    tokensBefore: start.tokens,
    tokensAfter: tokens,
    summarizedMessages: dropped.length,
    retainedMessages: retained.length,
    summaryModel: input.target?.ref ?? input.summaryModel ?? generation.head.model,
    ...(input.carry ? { planned: plannedReceipt(input.carry, parts.paths) } : {}),
  };
  return {
    generation,
    archive: {
      generationId: id,
      markdown: renderHistory({
        generationId: id,
        at: input.now,
        earlierSummary: view.generation.summary,
        messages: dropped,
        results: all,
      }),
    },
    end: { view: { generation, retained, appended: [] }, former: past, tokens, nextGenerationId: id + 1 },
    fits,
  };
}

/** Without its receipt. */
export function nextGeneration(
  start: Start,
  { retained, dropped }: Pick<Retention, 'retained' | 'dropped'>,
  summary: string,
  input: CompactionInput,
  parts: CarriedParts,
): Generation {
  const bare = bareGeneration(start, retained, input);
  const earlier = earlierMessagesPart({
    past: [...start.former, ...dropped],
    current: [...start.view.retained, ...start.view.appended],
    contextWindow: input.budget.contextWindow,
    countTokens: (text) => textTokens(text, bare, input),
  });
  return {
    ...bare,
    summary: withHistoryNote(summary, input.historyPath, bare.head.tools),
    carried: [...parts.ledger, ...earlier, ...parts.texts, ...bare.carried],
  };
}

function plannedReceipt({ policy, reason, priceTokens }: CarryOver, files: readonly string[]): PlannedReceipt {
  return {
    policy,
    ...(reason === undefined ? {} : { reason }),
    ...(priceTokens === undefined ? {} : { priceTokens: Math.round(priceTokens) }),
    files: [...files],
  };
}

/** The next generation without summary and without the quotes of earlier messages. */
function bareGeneration(
  { view, nextGenerationId }: Start,
  retained: readonly Message[],
  input: CompactionInput,
): Generation {
  const pending: UserPart[] = input.pendingSubAgentsLine
    ? [{ kind: 'pending_line', text: input.pendingSubAgentsLine }]
    : [];
  return {
    id: nextGenerationId,
    kind: 'summary',
    parent: view.generation.id,
    at: input.now,
    head: view.generation.head,
    carried: [...standingParts(view, retained), ...pending],
    retained: retained.map(({ id }) => id),
  };
}

export function measured(
  generation: Generation,
  retained: readonly Message[],
  input: CompactionInput,
): { tokens: number; fits: boolean } {
  const promptTokens = input.estimate(requestOf(generation, retained, input));
  return { tokens: promptTokens, fits: fitRequest({ promptTokens, ...input.budget }).fits };
}

/** Without what stands before them in every request. */
export function messageTokens(messages: readonly Message[], generation: Generation, input: CompactionInput): number {
  const bare = { ...generation, carried: [] };
  return measured(bare, messages, input).tokens - measured(bare, [], input).tokens;
}

/** What the text takes as a message of its own. */
export function textTokens(text: string, generation: Generation, input: CompactionInput): number {
  const request = requestOf(generation, [], input);
  return input.estimate({
    ...request,
    system: [],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  });
}

function requestOf(generation: Generation, retained: readonly Message[], input: CompactionInput): ModelRequest {
  return projectRequest(
    { generation, retained, appended: [] },
    { maxOutputTokens: input.budget.maxOutputTokens, cacheKey: input.cacheKey },
  );
}
