import type { JsonValue } from '../conversation/backendState.ts';
import type { StopReason } from '../conversation/message.ts';
import type { ModelRequest, ProviderId, TokenUsage } from '../conversation/request.ts';
import type { ModelCapabilities } from '../tokens/capabilities.ts';

export type { ModelCapabilities };

/**
 * What a stream yields, in order. Blocks are numbered by the provider adapter from 0 in the order in which they
 * appear; exactly one `block_end` follows each started block unless the stream breaks. `end` is the last event of
 * a stream that was not cut.
 */
export type StreamEvent =
  | { type: 'text_delta'; index: number; text: string }
  | { type: 'thinking_delta'; index: number; text: string }
  | { type: 'thinking_end'; index: number; thinking: string; signature: string }
  | { type: 'redacted_thinking'; index: number; data: string }
  | { type: 'tool_call_start'; index: number; callId: string; name: string }
  | { type: 'tool_call_delta'; index: number; partialJson: string }
  /** `problem` says why the arguments cannot be run: not JSON, or cut off. */
  | { type: 'tool_call_end'; index: number; callId: string; name: string; input: unknown; problem?: string }
  /** May come more than once; each is the whole answer so far, the last one counts. Never all zero. */
  | { type: 'usage'; usage: TokenUsage }
  /** With this answer the backend state is now this value. Counts only if the stream is not cut. */
  | { type: 'backend_state'; value: JsonValue }
  /** The transcript that the request's backend state names is gone. */
  | { type: 'backend_state_retired' }
  | { type: 'end'; stopReason: StopReason };

/** Hears what a stream may no longer be able to say, because it broke or nobody reads it any more. */
export interface StreamObserver {
  /** As the event; before the stream's iterator is done. May be called more than once. */
  backendStateRetired(): void;
}

export interface Provider {
  readonly id: ProviderId;
  /** Shown in the picker, e.g. `Anthropic`. */
  readonly label: string;
  capabilities(model: string): ModelCapabilities;
  /** Model ids to offer; may ask the server. Errors: ProviderError. */
  listModels(signal: AbortSignal): Promise<string[]>;
  /**
   * One model call, no retry of its own. Throws ProviderError; when `signal` aborts, its reason. A stateful provider
   * throws `state_lost` for a backend state that it no longer knows, and tells of a transcript that this call has used
   * up, also when the call fails (an event, the observer, or `markBackendStateRetired`).
   */
  stream(request: ModelRequest, signal: AbortSignal, observer?: StreamObserver): AsyncIterable<StreamEvent>;
}

export type ProviderErrorKind =
  | 'no_key'
  | 'auth'
  | 'billing'
  | 'unknown_model'
  | 'rate_limit'
  | 'overloaded'
  | 'too_long'
  | 'bad_request'
  | 'unreachable'
  /** The stream broke after it had begun. */
  | 'cut'
  /** A stateful provider no longer holds the transcript that the request's backend state names. */
  | 'state_lost'
  | 'server';

/** A failed model call: what happened, whether a retry can help, and the way out for the user. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  /** Milliseconds the server asked us to wait. */
  readonly retryAfterMs: number | undefined;
  /** What the user can do, one sentence. */
  readonly advice: string;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: { advice: string; status?: number; retryAfterMs?: number; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.advice = options.advice;
  }

  get retryable(): boolean {
    return ['rate_limit', 'overloaded', 'unreachable', 'cut', 'server'].includes(this.kind);
  }
}
