// The stored conversation. Nothing here is ever edited after it was appended (design invariant 1);
// what a provider receives is a projection of it (project.ts).
import type { ModelRef, TokenUsage } from './request.ts';

export type Mode = 'build' | 'plan';

/** Why a note was appended instead of rewriting the prefix (design invariant 2). */
export type NoteSubject = 'session_date' | 'agents_md' | 'skills_catalogue' | 'environment';

/**
 * One user message is made of typed parts. Only parts marked as ours are ever read as envelopes, so a
 * look-alike typed by the user stays plain text. The order is that of design section 5.
 *
 * `announces` of a note says which `sourceHashes` of the head it supersedes; an empty hash means that the source is gone.
 */
export type UserPart =
  | { kind: 'mode_notice'; mode: Mode; text: string }
  | { kind: 'skill_deactivation'; name: string; body: string }
  | { kind: 'skill_activation'; name: string; body: string }
  | { kind: 'pending_line'; text: string }
  | { kind: 'sub_agent_result'; agentId: string; sequence: number; text: string }
  | { kind: 'note'; subject: NoteSubject; text: string; announces?: Record<string, string> }
  | { kind: 'ledger'; text: string }
  | { kind: 'earlier_messages'; text: string }
  /** Texts of files in use, as they were on disk when the generation was made. */
  | { kind: 'file_texts'; text: string }
  | { kind: 'text'; text: string };

export interface UserMessage {
  id: string;
  role: 'user';
  /** Milliseconds since the epoch. */
  at: number;
  /** 1-based number of the turn this message opens or steers. */
  turn: number;
  parts: UserPart[];
}

export type AssistantBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | ToolCallBlock;

export interface ToolCallBlock {
  type: 'tool_call';
  /** Unique within the session; the provider's own id when it was unique, else ours (case A5). */
  callId: string;
  name: string;
  /** Parsed arguments; `{}` when `problem` is set. */
  input: unknown;
  /** Why the arguments cannot be run (cut off, not JSON). Such a call is answered with an error, never run. */
  problem?: string;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'context_exceeded' | 'stopped' | 'error';

export interface AssistantMessage {
  id: string;
  role: 'assistant';
  at: number;
  turn: number;
  model: ModelRef;
  /** Exactly what was streamed. */
  blocks: AssistantBlock[];
  stopReason: StopReason;
  /** The stream was cut; a projection adds the interruption note, the stored text stays exact. */
  incomplete?: boolean;
  usage?: TokenUsage;
}

/** `denied`: the user said no. `interrupted`: stop, crash or reload before the result was known. */
export type ToolStatus = 'ok' | 'error' | 'denied' | 'interrupted';

export interface ToolMessage {
  id: string;
  role: 'tool';
  at: number;
  turn: number;
  callId: string;
  name: string;
  status: ToolStatus;
  /** What the model reads; after intake. */
  content: string;
  /** Short facts for the tool card and the history archive. */
  detail?: ToolDetail;
}

export interface ToolDetail {
  /** One line for the card, e.g. `src/a.ts, lines 1-40`. */
  title?: string;
  exitCode?: number;
  /** Unified diff of a write or edit. */
  diff?: string;
  /** Absolute path of the file that was read or changed. */
  path?: string;
  /** Where the whole result was saved, if it was too large for the prompt. */
  savedTo?: string;
  /** sha256 (hex) of the file's text as the tool left or saw it. */
  fileHash?: string;
  /**
   * Lines of the file that `content` holds in full, 1-based and inclusive, and how many the file has. Absent: it is not
   * a read, or one that ends inside a line.
   */
  lines?: { start: number; end: number; total: number };
  /** The content is only a note: an earlier result holds the same text. */
  sameAs?: { turn: number; id: string };
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/** The text the user typed, without the parts we put around it. */
export function userText(message: UserMessage): string {
  return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}

/** A user message that carries the user's own words, as opposed to notes and sub-agent results. */
export function isRealUserMessage(message: Message): message is UserMessage {
  return message.role === 'user' && message.parts.some((part) => part.kind === 'text');
}
