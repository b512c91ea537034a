// The replayed conversation: the product's own messages and lineage, filled from a trace.

import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { Message, ToolMessage, UserMessage } from '../../../src/core/conversation/message.ts';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { productCall } from './productTools.ts';
import type { TokenBook } from './tokenBook.ts';
import type { Step, TraceCall, TraceResult, TraceText } from './trace.ts';

export const MODEL: ModelRef = { provider: 'anthropic', model: 'bench' };

export class Conversation {
  readonly lineage = new Lineage();
  /** Texts of all tool results, by call id. */
  readonly results = new Map<string, string>();
  readonly #book: TokenBook;
  #messages = 0;
  #turn = 0;
  #turnOpen = false;

  constructor(book: TokenBook) {
    this.#book = book;
    this.lineage.addGeneration({
      id: 1,
      kind: 'start',
      at: 0,
      head: {
        model: MODEL,
        system: [{ source: 'preamble', text: 'The fixed part: system prompt and tools.' }],
        tools: [{ name: 'history', description: 'Searches what was said and done before.', inputSchema: {} }],
        sessionDate: 'Session started on 2026-01-01.',
        sourceHashes: {},
      },
      carried: [],
      retained: [],
    });
  }

  /** A message after an answer opens a turn; one that follows another belongs to the same. */
  user({ text, tok }: TraceText, now: number): UserMessage {
    if (!this.#turnOpen) this.#turn += 1;
    this.#turnOpen = true;
    this.#book.note(text, tok);
    const message: UserMessage = { ...this.#stamp('user', now), role: 'user', parts: [{ kind: 'text', text }] };
    this.lineage.append(message);
    return message;
  }

  /** Returns the answer's tokens. */
  answer(answer: Step['answer'], now: number): number {
    this.#turnOpen = false;
    let tokens = 0;
    const blocks = answer.map((block) => {
      if (block.type === 'text') {
        tokens += this.#book.note(block.text, block.tok);
        return { type: 'text' as const, text: block.text };
      }
      const call = productCall(block);
      tokens += this.#book.noteCall(block.callId, call.input, block.tok);
      return { type: 'tool_call' as const, callId: block.callId, ...call };
    });
    const calls = blocks.some(({ type }) => type === 'tool_call');
    this.lineage.append({
      ...this.#stamp('answer', now),
      role: 'assistant',
      model: MODEL,
      blocks,
      stopReason: calls ? 'tool_use' : 'end_turn',
    });
    return tokens;
  }

  result(result: TraceResult, call: TraceCall, now: number): ToolMessage {
    this.#book.note(result.text, result.tok);
    const message: ToolMessage = {
      ...this.#stamp('tool', now),
      role: 'tool',
      callId: result.callId,
      name: productCall(call).name,
      status: 'ok',
      content: result.text,
      detail: productCall(call).detail,
    };
    this.lineage.append(message);
    this.results.set(result.callId, result.text);
    return message;
  }

  #stamp(kind: string, at: number): Pick<Message, 'id' | 'at' | 'turn'> {
    this.#messages += 1;
    // Of one length, so that no id is part of another one.
    return { id: `${kind}-${String(this.#messages).padStart(6, '0')}`, at, turn: Math.max(1, this.#turn) };
  }
}
