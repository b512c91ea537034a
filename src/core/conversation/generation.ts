import type { Message, UserPart } from './message.ts';
import type { ModelRef, SystemBlock, ToolDefinition } from './request.ts';

/** See design section 6, "Generation kinds". */
export type GenerationKind = 'start' | 'summary' | 'reduced' | 'rebased' | 'edited' | 'restored' | 'fork';

/**
 * What stands before the conversation, rendered once and stored, so that a resume sends the same bytes
 * (design invariant 2).
 */
export interface GenerationHead {
  model: ModelRef;
  /** The static system zone: preamble, AGENTS.md files, environment, skills catalogue. */
  system: SystemBlock[];
  /** Sorted by name. */
  tools: ToolDefinition[];
  /** One line, captured when the session started. */
  sessionDate: string;
  /** sha256 (hex, 16 digits) of what `system` was rendered from; a difference means a change note or a rebase. */
  sourceHashes: Record<string, string>;
}

/** The receipt of a compaction: what it kept, dropped, cost and saved. Token figures are calibrated estimates. */
export interface Receipt {
  stage: 'normal' | 'emergency';
  trigger: 'manual' | 'soft' | 'hard';
  tokensBefore: number;
  tokensAfter: number;
  summarizedMessages: number;
  retainedMessages: number;
  /** Provider and model that wrote the summary. */
  summaryModel: ModelRef;
  /** Absent: no fallback model was chosen. */
  fallback?: FallbackOutcome;
  /** Absent: Steiner's stages made it. */
  planned?: PlannedReceipt;
}

/** What the planner's policies add to a receipt. */
export interface PlannedReceipt {
  policy: string;
  /** Absent: the user asked for it. `rent`: carrying the old text had cost more than dropping it. */
  reason?: 'rent' | 'threshold' | 'window';
  /** Expected price in uncached input tokens. */
  priceTokens?: number;
  /** Absolute paths of the files whose texts were carried over. */
  files: string[];
}

/** What became of the fallback model in a compaction; `compactionModel` is `provider/model`. */
export type FallbackOutcome =
  | { fallbackStatus: 'used'; fallbackReason: string; compactionModel: string }
  /** The summary is main's. */
  | { fallbackStatus: 'skipped'; fallbackReason: string };

export interface Generation {
  /** 1-based, never reused. */
  id: number;
  kind: GenerationKind;
  /** The generation it was made from; absent for `start`. */
  parent?: number;
  at: number;
  head: GenerationHead;
  /** The summary of what was dropped; a system-zone record that reports and never instructs. */
  summary?: string;
  /** Parts of the one user message that stands before the retained tail (ledger, skills, earlier messages). */
  carried: UserPart[];
  /** Ids of messages of earlier generations that this one keeps, in order. */
  retained: string[];
  receipt?: Receipt;
}

/** A generation as the projection needs it: its own record and its messages in order. */
export interface GenerationView {
  generation: Generation;
  /** Messages carried over from earlier generations. They go out without thinking and without skill parts. */
  retained: readonly Message[];
  /** Messages appended since this generation was made. */
  appended: readonly Message[];
}
