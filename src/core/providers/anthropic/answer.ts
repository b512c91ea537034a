// Turns the raw events of a Messages stream into our events. The SDK's own accumulator is not used: it throws on
// malformed tool arguments, and we want to tell the model about them (case A4).
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { StopReason } from '../../conversation/message.ts';
import type { CallIds } from '../callIds.ts';
import type { ProviderError, StreamEvent } from '../provider.ts';
import { judgeArguments, parseObject } from '../toolArguments.ts';
import { UsageMeter } from './usage.ts';

/** `incomplete` makes the error for a stream that ended without saying why. */
export async function* readAnthropicStream(
  events: AsyncIterable<RawMessageStreamEvent>,
  callIds: CallIds,
  incomplete: () => ProviderError,
): AsyncGenerator<StreamEvent> {
  const answer = new Answer(callIds);
  try {
    for await (const event of events) yield* answer.add(event);
  } catch (error) {
    // After the stop reason only the end of the stream follows, and nothing can be missing.
    if (!answer.finished) throw error;
  }
  if (!answer.finished) throw incomplete();
  yield* answer.end();
}

interface ToolCall {
  type: 'tool_call';
  index: number;
  callId: string;
  name: string;
  json: string;
}

type OpenBlock =
  | { type: 'text'; index: number }
  | { type: 'thinking'; index: number; thinking: string; signature: string }
  | ToolCall;

type StartEvent = Extract<RawMessageStreamEvent, { type: 'content_block_start' }>;
type DeltaEvent = Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>;

class Answer {
  #blocks = 0;
  #calls = 0;
  #stopReason: string | undefined;
  readonly #open = new Map<number, OpenBlock>();
  /** Calls whose arguments can only be judged when the reason of the stop is known. */
  readonly #doubtful: ToolCall[] = [];
  readonly #usage = new UsageMeter();
  readonly #callIds: CallIds;

  constructor(callIds: CallIds) {
    this.#callIds = callIds;
  }

  get finished(): boolean {
    return this.#stopReason !== undefined;
  }

  *add(event: RawMessageStreamEvent): Generator<StreamEvent> {
    switch (event.type) {
      case 'message_start':
        yield* this.#usage.add(event.message.usage);
        return;
      case 'content_block_start':
        yield* this.#start(event);
        return;
      case 'content_block_delta':
        yield* this.#delta(event);
        return;
      case 'content_block_stop':
        yield* this.#close(event.index);
        return;
      case 'message_delta':
        yield* this.#usage.add(event.usage);
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        return;
      case 'message_stop':
        this.#stopReason ??= 'end_turn';
        return;
      default:
        // Events of a newer API version.
        return;
    }
  }

  *end(): Generator<StreamEvent> {
    for (const index of this.#open.keys()) yield* this.#close(index);
    const stopReason = toStopReason(this.#stopReason, this.#calls > 0);
    for (const call of this.#doubtful) yield toolCallEnd(call, judgeArguments(call.json, stopReason));
    yield { type: 'end', stopReason };
  }

  *#start({ index, content_block: block }: StartEvent): Generator<StreamEvent> {
    switch (block.type) {
      case 'text': {
        const own = this.#blocks++;
        this.#open.set(index, { type: 'text', index: own });
        if (block.text) yield { type: 'text_delta', index: own, text: block.text };
        return;
      }
      case 'thinking': {
        const { thinking, signature } = block;
        const own = this.#blocks++;
        this.#open.set(index, { type: 'thinking', index: own, thinking: thinking ?? '', signature: signature ?? '' });
        if (thinking) yield { type: 'thinking_delta', index: own, text: thinking };
        return;
      }
      case 'redacted_thinking':
        yield { type: 'redacted_thinking', index: this.#blocks++, data: block.data };
        return;
      case 'tool_use': {
        const callId = this.#callIds.claim(block.id);
        const call: ToolCall = { type: 'tool_call', index: this.#blocks++, callId, name: block.name, json: '' };
        this.#calls++;
        this.#open.set(index, call);
        yield { type: 'tool_call_start', index: call.index, callId, name: call.name };
        // Gateways that do not stream arguments put them here whole.
        const given = block.input;
        if (typeof given === 'object' && given !== null && Object.keys(given).length > 0) {
          call.json = JSON.stringify(given);
          yield { type: 'tool_call_delta', index: call.index, partialJson: call.json };
        }
        return;
      }
      default:
        // Blocks of server-side tools: we ask for none.
        return;
    }
  }

  *#delta({ index, delta }: DeltaEvent): Generator<StreamEvent> {
    const block = this.#open.get(index);
    if (!block) return;
    if (delta.type === 'text_delta' && block.type === 'text') {
      if (delta.text) yield { type: 'text_delta', index: block.index, text: delta.text };
    } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
      block.thinking += delta.thinking;
      if (delta.thinking) yield { type: 'thinking_delta', index: block.index, text: delta.thinking };
    } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
      block.signature += delta.signature;
    } else if (delta.type === 'input_json_delta' && block.type === 'tool_call') {
      block.json += delta.partial_json;
      if (delta.partial_json) yield { type: 'tool_call_delta', index: block.index, partialJson: delta.partial_json };
    }
  }

  *#close(index: number): Generator<StreamEvent> {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (block?.type === 'thinking') {
      yield { type: 'thinking_end', index: block.index, thinking: block.thinking, signature: block.signature };
    } else if (block?.type === 'tool_call') {
      const input = parseObject(block.json);
      if (input) yield toolCallEnd(block, { input });
      else this.#doubtful.push(block);
    }
  }
}

function toolCallEnd({ index, callId, name }: ToolCall, judged: { input: unknown; problem?: string }): StreamEvent {
  return { type: 'tool_call_end', index, callId, name, ...judged };
}

/** Gateways say `end_turn` for an answer with tool calls; the calls decide. */
function toStopReason(reason: string | undefined, hasCalls: boolean): StopReason {
  switch (reason) {
    case 'max_tokens':
      return 'max_tokens';
    case 'refusal':
      return 'refusal';
    case 'model_context_window_exceeded':
      return 'context_exceeded';
    default:
      return hasCalls ? 'tool_use' : 'end_turn';
  }
}
