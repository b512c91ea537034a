// The neutral request: what a provider is asked, before a wire folder maps it to its own shape.
import type { JsonValue } from './backendState.ts';

export type ProviderId = 'anthropic' | 'openai' | 'offline';

export interface ModelRef {
  provider: ProviderId;
  /** The provider's own model id. */
  model: string;
}

export interface SystemBlock {
  /** Where the text came from (a `ContextSource`, e.g. `preamble`, `project_agents_md`, `conversation_summary`). */
  source: string;
  /** Absolute path, for sources that are files. */
  path?: string;
  text: string;
  /** The source was longer than its budget. */
  truncated?: true;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema (draft 2020-12) of the arguments. */
  inputSchema: Record<string, unknown>;
}

export type RequestUserBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_result'; callId: string; content: string; isError: boolean };

export type RequestAssistantBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_call'; callId: string; name: string; input: unknown };

/** Roles alternate, starting with the user. In a user message tool results stand first, in call order. */
export type RequestMessage =
  | { role: 'user'; content: RequestUserBlock[] }
  | { role: 'assistant'; content: RequestAssistantBlock[] };

/**
 * A cache marker, never stored: computed for each request by src/core/cache. It covers everything up to and
 * including the named block.
 */
export type Breakpoint =
  | { at: 'system'; block: number; ttl: CacheTtl }
  | { at: 'message'; message: number; block: number; ttl: CacheTtl };

export type CacheTtl = '5m' | '1h';

export interface ModelRequest {
  model: string;
  system: SystemBlock[];
  tools: ToolDefinition[];
  messages: readonly RequestMessage[];
  /** Tokens. */
  maxOutputTokens: number;
  /** Thinking budget in tokens; absent: thinking is off. */
  thinkingBudget?: number;
  /**
   * An open tool loop has lost its thinking to a new generation: thinking must be off, also for models that think
   * without being asked, until the loop is closed (design invariant 8).
   */
  thinkingLost?: true;
  breakpoints: Breakpoint[];
  /** Stable per session, for providers that route by it. */
  cacheKey: string;
  /**
   * Set on summary requests: the last block is the instruction, and the answer is no part of the conversation. With a
   * backend state the instruction alone can be asked of the transcript, as a turn of its own.
   */
  purpose?: 'summary';
  /**
   * For a stateful provider: names the transcript that it holds of this conversation. The request is whole all the same,
   * so that the provider can tell what is new, or begin again.
   */
  backendState?: JsonValue;
}

/** Tokens of one model call. `input` is the whole prompt, cached parts included. */
export interface TokenUsage {
  input: number;
  output: number;
  /** Absent: the provider does not say. */
  cacheRead?: number;
  cacheWrite?: number;
}
