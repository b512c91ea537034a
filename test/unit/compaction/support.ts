import type { CarryOver } from '../../../src/core/compaction/carryOver.ts';
import type { CompactionOutcome } from '../../../src/core/compaction/compact.ts';
import type { CompactionInput } from '../../../src/core/compaction/compactionInput.ts';
import type { Generation, GenerationView } from '../../../src/core/conversation/generation.ts';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { Message } from '../../../src/core/conversation/message.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { assistant, call, result, says, user } from '../conversation/support.ts';

/** A quarter of the characters of everything the model reads. */
export function estimate({ system, tools, messages }: ModelRequest): number {
  return Math.ceil(JSON.stringify([system, tools, messages]).length / 4);
}

/** `tokens` tokens, as `estimate` counts them. */
export function words(tokens: number): string {
  return 'word '.repeat(Math.ceil((tokens * 4) / 5));
}

export interface Played {
  input: CompactionInput;
  /** The summary requests, in order. */
  requests: ModelRequest[];
}

/** `answers`: what the model says to each summary request; the last one again and again. */
export function inputFor(
  view: GenerationView,
  change: Partial<CompactionInput> = {},
  answers: readonly string[] = ['The summary.'],
): Played {
  const requests: ModelRequest[] = [];
  const input: CompactionInput = {
    view,
    former: [],
    trigger: 'soft',
    budget: { contextWindow: 32_768, maxOutputTokens: 8_192 },
    softThreshold: 22_937,
    estimate,
    summarize: (request) => {
      requests.push(request);
      return Promise.resolve(answers[requests.length - 1] ?? answers.at(-1) ?? '');
    },
    cacheKey: 'session',
    nextGenerationId: view.generation.id + 1,
    now: Date.UTC(2026, 11, 1),
    signal: new AbortController().signal,
    ...change,
  };
  return { input, requests };
}

/** Undefined: `fixed`. The planner's file texts are those shown last. */
export const CARRIES: readonly (CarryOver | undefined)[] = [
  undefined,
  ...(['balanced', 'economy', 'recall'] as const).map(
    (policy): CarryOver => ({
      policy,
      reason: 'rent',
      readText: async ({ message }) => message.content,
    }),
  ),
];

/** One model call with one tool result of so many tokens. */
export function step(id: string, tokens: number, turn = 1): Message[] {
  return [assistant([call(id, { path: `${id}.ts` })], { turn }), result(id, `${id} ${words(tokens)}`, { turn })];
}

/** A finished turn: a question, `steps` steps of `tokens` tokens each, an answer. */
export function finishedTurn(turn: number, text: string, steps: number, tokens: number): Message[] {
  const middle = Array.from({ length: steps }, (_, index) => step(`t${turn}s${index}`, tokens, turn)).flat();
  return [user(text, turn), ...middle, says(`Answer to turn ${turn}.`, turn)];
}

export function applied(outcome: CompactionOutcome): Extract<CompactionOutcome, { applied: true }> {
  if (!outcome.applied) throw new Error(`not applied: ${outcome.reason}`);
  return outcome;
}

export function reasonOf(outcome: CompactionOutcome): string {
  if (outcome.applied) throw new Error('applied');
  return outcome.reason;
}

export function adopt(lineage: Lineage, generations: readonly Generation[]): GenerationView {
  for (const generation of generations) lineage.addGeneration(generation);
  return lineage.view();
}
