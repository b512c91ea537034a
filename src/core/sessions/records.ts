// The records of a session's append-only log, one JSON object a line (design section 8).
import type { BackendState } from '../conversation/backendState.ts';
import type { Generation } from '../conversation/generation.ts';
import type { Message, Mode } from '../conversation/message.ts';
import type { ModelRef, TokenUsage } from '../conversation/request.ts';

/** The format number in the first record; a newer one is opened read-only. */
export const LOG_FORMAT = 1;

export type SessionRecord =
  | { type: 'session'; format: number; id: string; at: number; roots: string[]; forkedFrom?: string }
  | { type: 'message'; message: Message }
  | { type: 'generation'; generation: Generation }
  | { type: 'title'; title: string }
  /** Settings of the session; each record holds the whole of them, the last one counts. */
  | { type: 'settings'; settings: SessionSettings }
  | { type: 'usage'; usage: UsageRecord }
  /** Compacted messages that history.md still has to receive (design invariant 6): text as it will be appended. */
  | { type: 'archive_pending'; generationId: number; markdown: string }
  | { type: 'archive_done'; generationId: number }
  /** A stateful provider holds the conversation up to an answer; the last one counts. */
  | { type: 'backend_state'; state: BackendState }
  /** It no longer holds that of this generation. */
  | { type: 'backend_state_retired'; generation: number }
  | { type: 'turn_ended'; turn: number; at: number; end: 'done' | 'stopped' | 'failed' | 'limit' };

export interface SessionSettings {
  model: ModelRef;
  mode: Mode;
  /** Names, in the order in which they were switched on. */
  enabledSkills: string[];
  /** Keys of approvals given for this session. */
  approvals: string[];
}

export interface UsageRecord {
  at: number;
  kind: 'main' | 'summary';
  model: ModelRef;
  usage: TokenUsage;
  /** Our estimate for the same request, tokens before calibration. */
  rawEstimate: number;
  /** Tokens that a main call carried beyond what the planner's cut would have left. Absent: another policy. */
  excessTokens?: number;
  /** The cache key of a main call that was answered in full; such a call keeps the provider's cache warm. */
  cacheKey?: string;
}
