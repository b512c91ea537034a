import type { GenerationView } from '../conversation/generation.ts';
import type { Message } from '../conversation/message.ts';
import type { ModelRef, ModelRequest } from '../conversation/request.ts';
import type { CarryOver } from './carryOver.ts';

/** A second model that writes the summaries; everything else is measured for main. Token figures are calibrated. */
export interface SummaryTarget {
  ref: ModelRef;
  contextWindow: number;
  maxOutputTokens: number;
  estimate(request: ModelRequest): number;
  summarize(request: ModelRequest, signal: AbortSignal): Promise<string>;
}

/** Token figures are calibrated estimates. */
export interface CompactionInput {
  view: GenerationView;
  /** Messages of the generations before that the view no longer holds (`Lineage.former`), for the user's words. */
  former: readonly Message[];
  trigger: 'manual' | 'soft' | 'hard';
  /** What the user wants the summary to dwell on. */
  focus?: string | undefined;
  budget: { contextWindow: number; maxOutputTokens: number };
  softThreshold: number;
  estimate(request: ModelRequest): number;
  /**
   * The text of the model's answer; empty when it held none. `generation`: id of the one whose whole source the request
   * holds; undefined for a piece.
   */
  summarize(request: ModelRequest, signal: AbortSignal, generation?: number): Promise<string>;
  /** The model that `summarize` asks; absent: the generation's own. */
  summaryModel?: ModelRef;
  /** Asked instead of `summarize`; it must take each summary request in one piece and give a text, or it has failed. */
  target?: SummaryTarget;
  /** The planner's cut comes first, Steiner's stages where it does not help. Absent: those alone. */
  carry?: CarryOver | undefined;
  /** Tokens, as in the main calls; 0 or absent: thinking is off. */
  thinkingBudget?: number | undefined;
  cacheKey: string;
  nextGenerationId: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** Absolute path of history.md; absent: there is no archive to point at. */
  historyPath?: string;
  /** Names the sub-agents that have not answered yet. */
  pendingSubAgentsLine?: string;
  signal: AbortSignal;
}
