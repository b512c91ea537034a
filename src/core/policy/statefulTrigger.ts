// When to compact a transcript that the provider owns (seed heading "Stateful transcript providers"). What the provider
// adds to it cannot be estimated from here, so its reported usage decides. All figures are tokens.
import { isSameModel } from '../conversation/modelId.ts';
import type { ModelRef } from '../conversation/request.ts';
import type { Plan } from './policy.ts';

/** From this share of the window on there is no room left to compact in. */
const CAP_PERCENT = 90;
/** What must come on top of a floor before compacting again can help. */
const FLOOR_STEP_PERCENT = 10;

/** What a main call of the conversation last told. Kept in memory and never stored. */
export interface ParentUsage {
  model: ModelRef;
  contextWindow: number;
  /** The prompt of the last answer; absent: none since the last compaction. */
  promptTokens?: number;
  /** The next report is the first one after a compaction. */
  armsFloor?: true;
  /** The prompt right after the last compaction, if it was long even then. */
  floor?: number;
}

export interface TranscriptLimits {
  model: ModelRef;
  contextWindow: number;
  /** Where compaction is due: the set tokens or the share of the window. */
  softThreshold: number;
}

/** Undefined: the usage is another model's or was measured against another window, and says nothing. */
export function usageFor(
  usage: ParentUsage | undefined,
  { model, contextWindow }: Omit<TranscriptLimits, 'softThreshold'>,
): ParentUsage | undefined {
  return usage && isSameModel(usage.model, model) && usage.contextWindow === contextWindow ? usage : undefined;
}

/** `promptTokens`: as the provider reported them. The first report after a compaction arms the floor. */
export function afterResponse(
  usage: ParentUsage | undefined,
  promptTokens: number,
  limits: TranscriptLimits,
): ParentUsage {
  const { model, contextWindow, softThreshold } = limits;
  const known = usageFor(usage, limits);
  const arms = known?.armsFloor && promptTokens >= softThreshold && !reachesCap(promptTokens, contextWindow);
  const floor = known?.armsFloor ? (arms ? promptTokens : undefined) : known?.floor;
  return { model, contextWindow, promptTokens, ...(floor === undefined ? {} : { floor }) };
}

/** The usage of the transcript before it says nothing about the one that begins now. */
export function afterCompaction({ model, contextWindow }: Omit<TranscriptLimits, 'softThreshold'>): ParentUsage {
  return { model, contextWindow, armsFloor: true };
}

/** Reported tokens at which the next compaction is due. */
export function softTriggerTokens(usage: ParentUsage | undefined, limits: TranscriptLimits): number {
  const { contextWindow, softThreshold } = limits;
  const floor = usageFor(usage, limits)?.floor;
  if (floor === undefined) return softThreshold;
  return Math.min(floor + (contextWindow * FLOOR_STEP_PERCENT) / 100, capTokens(contextWindow));
}

/** The run that got such a report is marked: its next decision is to stop. */
export function reachesCap(promptTokens: number, contextWindow: number): boolean {
  return promptTokens >= capTokens(contextWindow);
}

export interface StatefulState {
  /** A report of this run reached the cap, and no compaction has begun a new transcript since. */
  capReached: boolean;
  /** The whole transcript, as it would go out without the provider's copy, fits the window. */
  fits: boolean;
}

/** `stop`: the window is full, and a summary has no room in it either. */
export function statefulPlan(
  usage: ParentUsage | undefined,
  { capReached, fits }: StatefulState,
  limits: TranscriptLimits,
): Plan | { kind: 'stop' } {
  if (capReached) return { kind: 'stop' };
  if (!fits) return { kind: 'compact', trigger: 'hard' };
  const reported = usageFor(usage, limits)?.promptTokens;
  const isDue = reported !== undefined && reported >= softTriggerTokens(usage, limits);
  return isDue ? { kind: 'compact', trigger: 'soft' } : { kind: 'send' };
}

function capTokens(contextWindow: number): number {
  return (contextWindow * CAP_PERCENT) / 100;
}
