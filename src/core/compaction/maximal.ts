// The planner's stage: its cut, its parts, and a summary asked of the whole prompt as it stands in the provider's cache.
import type { Message, UserPart } from '../conversation/message.ts';
import type { PlannerName } from '../policy/policy.ts';
import { carriedTexts } from './carriedTexts.ts';
import { CARRY, type CarryOver, ledgerCap, textsCap } from './carryOver.ts';
import type { CompactionInput } from './compactionInput.ts';
import { ledgerPart } from './ledger.ts';
import { maximalCut } from './maximalCut.ts';
import type { Retention } from './retention.ts';
import {
  candidateOf,
  measured,
  messageTokens,
  nextGeneration,
  type StageResult,
  type Start,
  summaryOf,
  textTokens,
} from './stage.ts';
import { textsInUse } from './textsInUse.ts';

/** Parts ahead of the user's earlier words, and after them. */
export interface CarriedParts {
  ledger: UserPart[];
  texts: UserPart[];
  /** Absolute paths of the files whose texts are carried. */
  paths: string[];
}

/** Errors: those of `summarize`, a summary that the target could not give, and the signal's reason. */
export async function runMaximal(start: Start, input: CompactionInput, carry: CarryOver): Promise<StageResult> {
  const retention = plannedCut(start, input, carry);
  if (retention.dropped.length === 0) return { reason: 'there is nothing old enough to summarize' };
  const summary = await summaryOf('normal', start, retention.source, input, true);
  if ('reason' in summary) return summary;
  const parts = await carriedParts(start, retention, input, carry);
  input.signal.throwIfAborted();
  return { candidate: candidateOf('normal', start, retention, summary.text, input, parts) };
}

/** The prompt as it would be after that cut, without the summary. Texts count as they were shown last. */
export async function remainingAfterMaximal(
  start: Start,
  input: CompactionInput,
  policy: PlannerName,
): Promise<number> {
  const asShown: CarryOver = { policy, readText: async ({ message }) => message.content };
  const retention = plannedCut(start, input, asShown);
  if (retention.dropped.length === 0) return start.tokens;
  const parts = await carriedParts(start, retention, input, asShown);
  return measured(nextGeneration(start, retention, '', input, parts), retention.retained, input).tokens;
}

function plannedCut({ view }: Start, input: CompactionInput, { policy }: CarryOver): Retention {
  const { contextWindow } = input.budget;
  return maximalCut([...view.retained, ...view.appended], {
    policy,
    contextWindow,
    tokensOf: (messages) => messageTokens(messages, view.generation, input),
  });
}

async function carriedParts(
  { view, former }: Start,
  { retained }: Retention,
  input: CompactionInput,
  { policy, readText }: CarryOver,
): Promise<CarriedParts> {
  const { contextWindow } = input.budget;
  const everything: Message[] = [...former, ...view.retained, ...view.appended];
  const countTokens = (text: string) => textTokens(text, view.generation, input);
  const mostTokens = textsCap(contextWindow, policy);
  const candidates = mostTokens < CARRY.texts.leastTokens ? [] : textsInUse(everything, retained);
  const texts = await carriedTexts(candidates, readText, { mostTokens, countTokens });
  return {
    ledger: ledgerPart(everything, { mostTokens: ledgerCap(contextWindow), countTokens }),
    texts: texts.parts,
    paths: texts.paths,
  };
}
