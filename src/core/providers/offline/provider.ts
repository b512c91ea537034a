// The built-in model: deterministic, without key or network, over the same interface as every other provider.
import type { ModelRequest } from '../../conversation/request.ts';
import type { Clock } from '../../platform/clock.ts';
import type { IdSource } from '../../platform/ids.ts';
import { estimateRequest, estimateText } from '../../tokens/estimate.ts';
import { modelLimits, OFFLINE_MODEL } from '../../tokens/limits.ts';
import type { ModelCapabilities, Provider, StreamEvent } from '../provider.ts';
import { ProviderError } from '../provider.ts';
import type { Move } from './moves.ts';
import { nextMove } from './plan.ts';
import { PromptCache } from './promptCache.ts';
import { say } from './say.ts';
import { ownWords, situationOf } from './situation.ts';
import { isSummaryInstruction, summarize } from './summary.ts';

/** An answer streams in at most this many pieces with this pause, so that it takes under half a second. */
const MAX_PIECES = 60;
const PIECE_MS = 6;

/** Tokens; also bounded by the request. */
const MAX_SUMMARY_TOKENS = 1_500;

export class OfflineProvider implements Provider {
  readonly id = 'offline';
  readonly label = 'Built-in offline model';
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #cache: PromptCache;

  constructor(options: { clock: Clock; ids: IdSource }) {
    this.#clock = options.clock;
    this.#ids = options.ids;
    this.#cache = new PromptCache(options.clock);
  }

  capabilities(model: string): ModelCapabilities {
    return modelLimits('offline', model);
  }

  async listModels(): Promise<string[]> {
    return [OFFLINE_MODEL];
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    signal.throwIfAborted();
    const ref = { provider: this.id, model: request.model } as const;
    const estimate = estimateRequest(request, ref);
    const { contextWindow } = this.capabilities(request.model);
    if (estimate.rawTokens + request.maxOutputTokens > contextWindow) throw tooLong(estimate.rawTokens, contextWindow);
    const cacheRead = this.#cache.read(request, estimate);
    const move = moveFor(request);
    let index = 0;
    let output = 0;
    for (const piece of piecesOf(move.text)) {
      await this.#clock.sleep(PIECE_MS, signal);
      yield { type: 'text_delta', index, text: piece };
    }
    if (move.text !== '') {
      output += estimateText(move.text, ref);
      index += 1;
    }
    for (const { name, input } of move.calls) {
      await this.#clock.sleep(PIECE_MS, signal);
      const callId = this.#ids('call');
      const partialJson = JSON.stringify(input);
      output += estimateText(partialJson, ref);
      yield { type: 'tool_call_start', index, callId, name };
      yield { type: 'tool_call_delta', index, partialJson };
      yield { type: 'tool_call_end', index, callId, name, input };
      index += 1;
    }
    const input = estimate.rawTokens;
    yield { type: 'usage', usage: { input, output, cacheRead, cacheWrite: input - cacheRead } };
    yield { type: 'end', stopReason: move.calls.length > 0 ? 'tool_use' : 'end_turn' };
  }
}

function moveFor(request: ModelRequest): Move {
  const last = request.messages.at(-1);
  if (isSummaryInstruction((last && ownWords(last)) ?? '')) return { text: fittingSummary(request), calls: [] };
  const situation = situationOf(request);
  const move = nextMove(situation);
  const introduces = situation.isFirstAnswer && move.calls.length === 0;
  return introduces ? { ...move, text: `${say.intro()}\n\n${move.text}` } : move;
}

function fittingSummary(request: ModelRequest): string {
  const bound = Math.min(MAX_SUMMARY_TOKENS, request.maxOutputTokens);
  for (let entries = 16; ; entries = Math.floor(entries / 2)) {
    const summary = summarize(request, entries);
    if (entries <= 1 || estimateText(summary, { provider: 'offline', model: request.model }) <= bound) return summary;
  }
}

function* piecesOf(text: string): Generator<string> {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const size = Math.ceil(words.length / MAX_PIECES);
  for (let at = 0; at < words.length; at += size) yield words.slice(at, at + size).join('');
}

function tooLong(tokens: number, window: number): ProviderError {
  return new ProviderError('too_long', `The prompt of ${tokens} tokens does not fit the built-in model's ${window}.`, {
    advice: 'Compact the conversation, or choose a model with a larger window.',
  });
}
