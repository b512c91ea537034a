// What the scripted model answers, and the short words tests write it in.
import type { LoggedRequest } from './log.ts';

export type Part =
  | { kind: 'text'; pieces: string[] }
  | { kind: 'thinking'; pieces: string[] }
  | { kind: 'redacted'; hidden: string }
  | ({ kind: 'call'; name: string; input: unknown } & CallOptions)
  /** Waits in real milliseconds before the next part. */
  | { kind: 'pause'; ms: number };

interface CallOptions {
  /** Default: a new unique one. */
  id?: string;
  /** The arguments' JSON text exactly as streamed, piece by piece; it may be cut or wrong. */
  fragments?: string[];
  /** OpenAI: the `index` sent; `missing` leaves it out. Default: the call's number. */
  index?: number | 'missing';
  /** OpenAI: which fragments carry the id. Default `first`. */
  idOn?: 'first' | 'every';
  /** OpenAI: `last` sends the name after the arguments. Default `first`. */
  nameOn?: 'first' | 'last';
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'context_exceeded';

/**
 * Breaks a reply. `cut`: the connection is closed before the body is complete. `reset`: TCP reset. `torn`: half of
 * the event's bytes, then reset. `end`: the body ends properly, the remaining events are missing. `stall`: nothing
 * more is sent, for `ms` or until the client leaves. `overloaded`, `error`: an error event, then the end.
 */
export interface Fault {
  action: 'cut' | 'reset' | 'torn' | 'end' | 'stall' | 'overloaded' | 'error';
  /** Before this event is sent, see `EventName`. `headers`: before anything is sent. */
  at: EventName | 'headers';
  /** Which of the events of that name, counted from 1. Default 1. */
  nth?: number;
  /** Only for `stall`: real milliseconds after which the reply goes on. */
  ms?: number;
}

/** Anthropic events by their type; OpenAI chunks by what they carry. */
export type EventName =
  | 'message_start'
  | 'ping'
  | 'content_block_start'
  | 'content_block_delta'
  | 'content_block_stop'
  | 'message_delta'
  | 'message_stop'
  | 'role'
  | 'content'
  | 'tool_calls'
  | 'finish'
  | 'usage'
  | 'done';

/** Tokens as the reply reports them, instead of those of the rig's cache. `input` is the uncached part. */
interface ScriptedUsage {
  input: number;
  cacheRead?: number;
  cacheWrite?: number;
  output: number;
}

interface ReplyOptions {
  /** Default: `tool_use` when there is a call, else `end_turn`. */
  stopReason?: StopReason;
  fault?: Fault;
  /**
   * Default `standard`. `absent`: none. `zero`: all figures 0. `with_finish`: OpenAI only, in the chunk that carries
   * the finish reason instead of a last chunk with empty `choices`.
   */
  usage?: 'standard' | 'absent' | 'zero' | 'with_finish' | ScriptedUsage;
  /** OpenAI: the fragments of all calls of the reply alternate. */
  interleave?: boolean;
  /** Real milliseconds before every piece of text, thinking or arguments. Default 0. */
  paceMs?: number;
}

export interface Reply extends ReplyOptions {
  parts: Part[];
}

/** An HTTP error instead of a reply. */
export interface StatusReply {
  status: number;
  /** Default: the vendor's usual text. */
  message?: string;
  /** Seconds, sent as `retry-after`. */
  retryAfter?: number;
  /** Sent as `retry-after-ms`. */
  retryAfterMs?: number;
}

export type Step = Reply | StatusReply;

/** `n` counts the calls of the function from 1. */
export type ScriptFunction = (request: LoggedRequest, n: number) => Step | Promise<Step>;

/** Text, streamed in the given pieces. */
export function say(...pieces: string[]): Part {
  return { kind: 'text', pieces };
}

/** Thinking, streamed in the given pieces and signed by the rig. */
export function think(...pieces: string[]): Part {
  return { kind: 'thinking', pieces };
}

export function redacted(hidden: string): Part {
  return { kind: 'redacted', hidden };
}

export function call(name: string, input: unknown, options: CallOptions = {}): Part {
  return { kind: 'call', name, input, ...options };
}

export function pause(ms: number): Part {
  return { kind: 'pause', ms };
}

/** Parts in order; the last argument may be options. */
export function reply(...items: (Part | ReplyOptions)[]): Reply {
  const parts = items.filter((item): item is Part => 'kind' in item);
  const options = items.filter((item): item is ReplyOptions => !('kind' in item));
  return { parts, ...options[0] };
}

export function status(code: number, options: Omit<StatusReply, 'status'> = {}): StatusReply {
  return { status: code, ...options };
}

/** Replies in a queue, or a function that makes them; the latest function serves once the queue is empty. */
export class Script {
  #queue: Step[] = [];
  #make: ScriptFunction | undefined;
  #made = 0;

  add(steps: Step[]): void {
    this.#queue.push(...steps);
  }

  use(make: ScriptFunction): void {
    this.#make = make;
    this.#made = 0;
  }

  /** Replies that no request has asked for yet. */
  get remaining(): number {
    return this.#queue.length;
  }

  /** Undefined: the script is used up. */
  async next(request: LoggedRequest): Promise<Step | undefined> {
    const queued = this.#queue.shift();
    if (queued) return queued;
    return this.#make?.(request, ++this.#made);
  }
}
