// Turns the chunks of a Chat Completions stream into our events.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { StopReason } from '../../conversation/message.ts';
import type { TokenUsage } from '../../conversation/request.ts';
import type { CallIds } from '../callIds.ts';
import type { ProviderError, StreamEvent } from '../provider.ts';
import { type CallFragment, ToolCallAssembler } from './toolCalls.ts';

/**
 * What chunks carry in practice. Servers add reasoning under two names, and leave out fields that OpenAI's own
 * API always sends.
 */
interface LooseDelta {
  content?: string | null;
  refusal?: string | null;
  reasoning?: unknown;
  reasoning_content?: unknown;
  tool_calls?: CallFragment[] | null;
}

/** `incomplete` makes the error for a stream that ended without saying why. */
export async function* readOpenAiStream(
  chunks: AsyncIterable<ChatCompletionChunk>,
  callIds: CallIds,
  incomplete: () => ProviderError,
): AsyncGenerator<StreamEvent> {
  const answer = new Answer(callIds);
  try {
    for await (const chunk of chunks) yield* answer.add(chunk);
  } catch (error) {
    // Once the server has said why it stopped, only the usage can be missing.
    if (!answer.finished) throw error;
  }
  if (!answer.finished) throw incomplete();
  yield* answer.end();
}

class Answer {
  #blocks = 0;
  #text: number | undefined;
  #thinking: { index: number; text: string } | undefined;
  #finishReason: string | undefined;
  #refused = false;
  #usage: TokenUsage | undefined;
  readonly #calls: ToolCallAssembler;

  constructor(callIds: CallIds) {
    this.#calls = new ToolCallAssembler(callIds, () => this.#blocks++);
  }

  get finished(): boolean {
    return this.#finishReason !== undefined;
  }

  *add(chunk: ChatCompletionChunk): Generator<StreamEvent> {
    this.#usage = toUsage(chunk.usage) ?? this.#usage;
    // The chunk with the usage has no choices, and some servers send no list at all.
    const choice = chunk.choices?.[0];
    if (!choice) return;
    const delta: LooseDelta = choice.delta ?? {};
    yield* this.#addThinking(delta.reasoning_content ?? delta.reasoning);
    yield* this.#addText(delta.content);
    if (delta.refusal) this.#refused = true;
    yield* this.#addText(delta.refusal);
    for (const fragment of delta.tool_calls ?? []) {
      yield* this.#endThinking();
      yield* this.#calls.add(fragment);
    }
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  *end(): Generator<StreamEvent> {
    yield* this.#endThinking();
    const stopReason = this.#refused ? 'refusal' : toStopReason(this.#finishReason, this.#calls.size > 0);
    yield* this.#calls.finish(stopReason);
    if (this.#usage) yield { type: 'usage', usage: this.#usage };
    yield { type: 'end', stopReason };
  }

  *#addText(text: string | null | undefined): Generator<StreamEvent> {
    if (!text) return;
    yield* this.#endThinking();
    this.#text ??= this.#blocks++;
    yield { type: 'text_delta', index: this.#text, text };
  }

  *#addThinking(text: unknown): Generator<StreamEvent> {
    if (typeof text !== 'string' || text === '') return;
    this.#thinking ??= { index: this.#blocks++, text: '' };
    this.#thinking.text += text;
    yield { type: 'thinking_delta', index: this.#thinking.index, text };
  }

  *#endThinking(): Generator<StreamEvent> {
    if (!this.#thinking) return;
    const { index, text } = this.#thinking;
    this.#thinking = undefined;
    // Nothing signs it on this wire; unsigned thinking is shown and never sent back.
    yield { type: 'thinking_end', index, thinking: text, signature: '' };
  }
}

/** Servers say `stop` for an answer that ends in tool calls; the calls decide. */
function toStopReason(reason: string | undefined, hasCalls: boolean): StopReason {
  switch (reason) {
    case 'length':
      return 'max_tokens';
    case 'content_filter':
      return 'refusal';
    case 'model_context_window_exceeded':
      return 'context_exceeded';
    case 'error':
      return 'error';
    default:
      return hasCalls ? 'tool_use' : 'end_turn';
  }
}

/** Undefined also for a usage of zeros: a prompt is never empty, so the server did not count (case A5). */
function toUsage(usage: ChatCompletionChunk['usage']): TokenUsage | undefined {
  if (!usage?.prompt_tokens) return undefined;
  const { cached_tokens, cache_write_tokens } = usage.prompt_tokens_details ?? {};
  return {
    input: usage.prompt_tokens,
    output: usage.completion_tokens ?? 0,
    ...(typeof cached_tokens === 'number' ? { cacheRead: cached_tokens } : {}),
    ...(typeof cache_write_tokens === 'number' ? { cacheWrite: cache_write_tokens } : {}),
  };
}
