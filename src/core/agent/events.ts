// One union feeds the chat, the status bar, the log channel and the tests alike.
import type { SessionHealth } from '../compaction/escalation.ts';
import type { FallbackOutcome, Generation } from '../conversation/generation.ts';
import type { AssistantMessage, ToolCallBlock, ToolMessage, UserMessage } from '../conversation/message.ts';
import type { ModelRef } from '../conversation/request.ts';
import type { RequestSnapshot } from '../report/requestSnapshot.ts';
import type { ApprovalNeed } from '../tools/tool.ts';

export type ApprovalAnswer = 'once' | 'session' | 'deny';

export interface ApprovalRequest extends ApprovalNeed {
  id: string;
  callId: string;
  toolName: string;
}

export interface Meter {
  /** Prompt tokens of the last or next request. */
  tokens: number;
  /** The model's context window, tokens. */
  window: number;
  source: 'estimated' | 'reported';
}

export type TurnEnd = 'done' | 'stopped' | 'failed' | 'limit';

export type AgentEvent =
  | { type: 'busy'; what: 'turn' | 'compaction' }
  | { type: 'idle' }
  | { type: 'turn_started'; turn: number }
  | { type: 'turn_finished'; turn: number; end: TurnEnd }
  | { type: 'user_message'; message: UserMessage }
  | { type: 'assistant_started'; messageId: string; at: number }
  | { type: 'assistant_delta'; messageId: string; index: number; block: 'text' | 'thinking'; text: string }
  /** The attempt is discarded (a retry follows): take its partial text off the screen. */
  | { type: 'assistant_discarded'; messageId: string }
  | { type: 'assistant_message'; message: AssistantMessage }
  | { type: 'tool_started'; call: ToolCallBlock; title: string }
  | { type: 'tool_progress'; callId: string; text: string }
  | { type: 'tool_finished'; message: ToolMessage }
  | { type: 'approval_requested'; request: ApprovalRequest }
  | { type: 'approval_resolved'; id: string; answer: ApprovalAnswer | 'cancelled' }
  /** A request goes out; its attempts and their retries are one. A copy of its own. */
  | { type: 'api_request'; snapshot: RequestSnapshot }
  /** A read returned what the conversation holds since `previousTurn`, so a note was taken in. `path`: absolute. */
  | {
      type: 'file_annotation';
      callId: string;
      path: string;
      lines: { start: number; end: number; total: number };
      previousTurn: number;
    }
  | { type: 'retry_waiting'; attempt: number; maxAttempts: number; untilMs: number; reason: string }
  | { type: 'retry_resumed' }
  | { type: 'compaction_started'; trigger: 'manual' | 'soft' | 'hard' }
  | { type: 'compaction_finished'; trigger: 'manual' | 'soft' | 'hard'; result: CompactionResult }
  | { type: 'generation'; generation: Generation }
  /** After each compaction; warning and critical concern the user. */
  | ({ type: 'session_health' } & SessionHealth)
  /** A skill was cut on its way to the model; sizes in UTF-8 bytes. */
  | { type: 'skill_truncated'; name: string; size: number; cap: number }
  /** After a reload, for each envelope of the conversation in order. */
  | { type: 'skill_state'; name: string; state: 'active' | 'inactive' }
  | { type: 'queued'; texts: string[] }
  /** Text the user typed that no turn took; it belongs back in the input. */
  | { type: 'returned_text'; text: string }
  | { type: 'meter'; meter: Meter }
  | { type: 'model_changed'; model: ModelRef }
  | { type: 'notice'; severity: 'info' | 'warning' | 'error'; message: string; advice?: string; action?: NoticeAction };

/** What a notice's button does; the host maps it to a command. */
export type NoticeAction =
  | 'set_api_key'
  | 'select_model'
  | 'open_settings'
  | 'open_folder'
  | 'retry'
  | 'context_report';

/** `backendStateCleared`: a stateful provider gave up the conversation's transcript, whatever became of the summary. */
export type CompactionResult = { backendStateCleared?: true } & (
  | {
      applied: true;
      generationId: number;
      tokensBefore: number;
      tokensAfter: number;
      stage: 'normal' | 'emergency';
      stageCount: 1 | 2;
      fallback?: FallbackOutcome;
    }
  | { applied: false; reason: string; advice?: string; fallback?: FallbackOutcome }
);
