// A compaction: the planner's cut where one is asked for, else Steiner's normal stage, fit again, emergency stage (fact
// sheet section 6.4; design sections 2 and 6). Nothing is stored or changed here: the caller adopts the generations, then archives what they dropped.
import type { FallbackOutcome, Generation } from '../conversation/generation.ts';
import { projectRequest } from '../conversation/project.ts';
import type { CompactionInput } from './compactionInput.ts';
import { runMaximal } from './maximal.ts';
import { type Candidate, leastPrompt, runStage, type Start } from './stage.ts';

export type CompactionOutcome =
  | {
      applied: true;
      /** One for each stage, in order; all of them are adopted, the last one becomes active. */
      generations: Generation[];
      /** What each generation dropped, for history.md. */
      archives: { generationId: number; markdown: string }[];
      stageCount: 1 | 2;
      /** Absent: no fallback model was chosen. */
      fallback?: FallbackOutcome;
    }
  /** Why, in words for the user: a clause without capital letter and full stop. */
  | { applied: false; reason: string; fallback?: FallbackOutcome };

/** Saving less than this is not worth the loss (design invariant 5). */
const LEAST_SAVED_TOKENS = 2_000;
const LEAST_SAVED_PERCENT = 10;

/**
 * Errors: those of `summarize`, a summary that the target could not give, and the signal's reason; nothing has changed
 * then.
 */
export async function compact(input: CompactionInput): Promise<CompactionOutcome> {
  input.signal.throwIfAborted();
  const start = startOf(input);
  const hopeless = whyHopeless(start, input);
  if (hopeless !== undefined) return { applied: false, reason: hopeless };

  if (input.carry) {
    const planned = await runMaximal(start, input, input.carry);
    if ('candidate' in planned && isEnough(planned.candidate, input) && !savesTooLittle(planned.candidate)) {
      return outcomeOf([planned.candidate]);
    }
  }
  return staged(start, { ...input, carry: undefined });
}

async function staged(start: Start, input: CompactionInput): Promise<CompactionOutcome> {
  const normal = await runStage('normal', start, input);
  const first = 'candidate' in normal && !savesTooLittle(normal.candidate) ? normal.candidate : undefined;
  if (first && isEnough(first, input)) return outcomeOf([first]);

  const emergency = await runStage('emergency', first?.end ?? start, input);
  if ('reason' in emergency || savesTooLittle(emergency.candidate)) {
    if (first) return first.fits ? outcomeOf([first]) : { applied: false, reason: stillTooLarge(first, input) };
    return { applied: false, reason: 'reason' in emergency ? emergency.reason : tooLittle(emergency.candidate) };
  }
  const last = emergency.candidate;
  if (!isAcceptable(last, input)) return { applied: false, reason: stillTooLarge(last, input) };
  return outcomeOf(first ? [first, last] : [last]);
}

function startOf({ view, former, estimate, budget, cacheKey, nextGenerationId }: CompactionInput): Start {
  const request = projectRequest(view, { maxOutputTokens: budget.maxOutputTokens, cacheKey });
  return { view, former, tokens: estimate(request), nextGenerationId };
}

/** Spends no summary call when the fixed part and the latest step alone are too much (case A7). */
function whyHopeless(start: Start, input: CompactionInput): string | undefined {
  const least = leastPrompt(start, input);
  if (input.trigger === 'hard' && !least.fits) {
    return `the system prompt, the tools and the latest step alone take ${figure(least.tokens)} tokens and do not fit the context window of ${figure(input.budget.contextWindow)}`;
  }
  if (input.trigger === 'soft' && least.tokens >= input.softThreshold) {
    return `the system prompt, the tools and the latest step alone take ${figure(least.tokens)} tokens, and compaction starts at ${figure(input.softThreshold)}`;
  }
  return undefined;
}

/** No second stage is needed. */
function isEnough({ end, fits }: Candidate, { softThreshold }: CompactionInput): boolean {
  return fits && end.tokens < softThreshold;
}

/** What the emergency stage must reach depends on why there was a compaction. */
function isAcceptable(candidate: Candidate, input: CompactionInput): boolean {
  return input.trigger === 'soft' ? isEnough(candidate, input) : candidate.fits;
}

function savedTokens({ generation: { receipt } }: Candidate): { saved: number; before: number } {
  const before = receipt?.tokensBefore ?? 0;
  return { saved: before - (receipt?.tokensAfter ?? 0), before };
}

function savesTooLittle(candidate: Candidate): boolean {
  const { saved, before } = savedTokens(candidate);
  return saved < Math.min((before * LEAST_SAVED_PERCENT) / 100, LEAST_SAVED_TOKENS);
}

function tooLittle(candidate: Candidate): string {
  const { saved, before } = savedTokens(candidate);
  const gain = saved > 0 ? `save only ${figure(saved)}` : 'save none';
  return `it would ${gain} of the ${figure(before)} tokens`;
}

function stillTooLarge({ end }: Candidate, { trigger, softThreshold, budget }: CompactionInput): string {
  const limit =
    trigger === 'soft'
      ? `compaction starts at ${figure(softThreshold)}`
      : `the context window holds ${figure(budget.contextWindow)} with the answer`;
  return `it would leave ${figure(end.tokens)} tokens, and ${limit}`;
}

function outcomeOf(candidates: Candidate[]): CompactionOutcome {
  return {
    applied: true,
    generations: candidates.map(({ generation }) => generation),
    archives: candidates.map(({ archive }) => archive),
    stageCount: candidates.length === 2 ? 2 : 1,
  };
}

function figure(tokens: number): string {
  return Math.round(tokens).toLocaleString('en');
}
