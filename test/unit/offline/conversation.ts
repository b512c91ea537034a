// Drives the built-in model through whole turns, the way the agent does, over the given tools.
import assert from 'node:assert/strict';
import type { ModelRequest, RequestMessage, TokenUsage } from '../../../src/core/conversation/request.ts';
import type { Clock } from '../../../src/core/platform/clock.ts';
import { OfflineProvider } from '../../../src/core/providers/offline/provider.ts';

export interface MadeCall {
  name: string;
  input: Record<string, unknown>;
}

export interface ToolAnswer {
  content: string;
  isError?: boolean;
}

export type RunTool = (call: MadeCall) => ToolAnswer | Promise<ToolAnswer>;

export const ALL_TOOLS = ['bash', 'edit', 'glob', 'grep', 'list', 'read', 'write'];

/** Time that passes only by sleeping, at once. */
export class InstantClock implements Clock {
  ms = 1_000_000;

  now(): number {
    return this.ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.ms += ms;
  }
}

export class Conversation {
  readonly clock = new InstantClock();
  readonly provider: OfflineProvider;
  readonly messages: RequestMessage[] = [];
  readonly usages: TokenUsage[] = [];
  system: ModelRequest['system'] = [{ source: 'preamble', text: 'You are a coding agent.' }];
  tools = ALL_TOOLS;
  readonly #run: RunTool;

  constructor(run: RunTool = () => ({ content: '' })) {
    this.#run = run;
    let calls = 0;
    this.provider = new OfflineProvider({
      clock: this.clock,
      ids: (prefix) => {
        calls += 1;
        return `${prefix}_${calls}`;
      },
    });
  }

  request(messages: RequestMessage[] = this.messages): ModelRequest {
    return {
      model: 'offline',
      system: this.system,
      tools: this.tools.map((name) => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object' } })),
      messages: structuredClone(messages),
      maxOutputTokens: 4_096,
      breakpoints: [],
      cacheKey: 'session',
    };
  }

  /** One user message and all model calls until the answer. */
  async ask(...blocks: string[]): Promise<{ answer: string; calls: MadeCall[] }> {
    this.messages.push({ role: 'user', content: blocks.map((text) => ({ type: 'text', text })) });
    const made: MadeCall[] = [];
    for (let step = 0; step < 12; step++) {
      const { text, calls } = await this.call();
      if (calls.length === 0) return { answer: text, calls: made };
      const results: RequestMessage = { role: 'user', content: [] };
      for (const { callId, name, input } of calls) {
        made.push({ name, input });
        const { content, isError = false } = await this.#run({ name, input });
        results.content.push({ type: 'tool_result', callId, content, isError });
      }
      this.messages.push(results);
    }
    throw new Error(`no answer after ${made.length} calls: ${JSON.stringify(made)}`);
  }

  /** One model call; the assistant's message joins the conversation. */
  async call(messages = this.messages): Promise<{ text: string; calls: (MadeCall & { callId: string })[] }> {
    let text = '';
    const calls: (MadeCall & { callId: string })[] = [];
    let ended: string | undefined;
    for await (const event of this.provider.stream(this.request(messages), new AbortController().signal)) {
      assert.equal(ended, undefined, 'an event after the end');
      if (event.type === 'text_delta') text += event.text;
      if (event.type === 'tool_call_end')
        calls.push({ callId: event.callId, name: event.name, input: event.input as MadeCall['input'] });
      if (event.type === 'usage') this.usages.push(event.usage);
      if (event.type === 'end') ended = event.stopReason;
    }
    assert.equal(ended, calls.length > 0 ? 'tool_use' : 'end_turn');
    const content: Extract<RequestMessage, { role: 'assistant' }>['content'] =
      text === '' ? [] : [{ type: 'text', text }];
    for (const { callId, name, input } of calls) content.push({ type: 'tool_call', callId, name, input });
    messages.push({ role: 'assistant', content });
    return { text, calls };
  }
}
