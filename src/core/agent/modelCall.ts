// One model call: streams an answer, turns deltas into events, and repeats failed attempts.
import type { JsonValue } from '../conversation/backendState.ts';
import type { AssistantBlock, StopReason } from '../conversation/message.ts';
import type { ModelRequest, TokenUsage } from '../conversation/request.ts';
import type { Clock } from '../platform/clock.ts';
import { wellFormed } from '../platform/text.ts';
import { type Provider, ProviderError, type StreamEvent } from '../providers/provider.ts';
import { CarriedState } from './carriedState.ts';
import type { AgentEvent } from './events.ts';
import { planRetry } from './retry.ts';

export interface ModelCallDeps {
  clock: Clock;
  emit(event: AgentEvent): void;
  /** 0 up to 1, for the jitter of waits. */
  random(): number;
}

export interface ModelAnswer {
  blocks: AssistantBlock[];
  stopReason: StopReason;
  /** Stopped by the user: `blocks` is what had arrived. */
  incomplete: boolean;
  /** Absent: the provider did not say. */
  usage: TokenUsage | undefined;
  /** Of a stateful provider that holds the conversation with this answer. Absent: it did not say, or was cut off. */
  backendState: JsonValue | undefined;
}

/**
 * Errors: ProviderError when no attempt worked. An abort is not an error: it returns what had arrived, marked
 * incomplete. `messageId` names the bubble; a discarded attempt is announced, so nothing is shown twice.
 * `dropState`: the provider gave up the transcript of the request's backend state; also the error is marked then.
 */
export async function callModel(
  provider: Provider,
  request: ModelRequest,
  messageId: string,
  signal: AbortSignal,
  deps: ModelCallDeps,
  dropState: () => Promise<void> = async () => undefined,
): Promise<ModelAnswer> {
  const carried = new CarriedState(request, dropState);
  for (let attempt = 1; ; ) {
    const answer = new AnswerBuilder();
    try {
      deps.emit({ type: 'assistant_started', messageId, at: deps.clock.now() });
      for await (const event of provider.stream(carried.request, signal, carried)) {
        if (event.type === 'backend_state_retired') carried.backendStateRetired();
        await carried.settle();
        const delta = answer.add(event);
        if (delta) deps.emit({ type: 'assistant_delta', messageId, ...delta });
        // A provider may hand over a few more buffered events; after Stop nothing more is taken.
        if (signal.aborted) break;
      }
      await carried.settle();
      if (!signal.aborted && !answer.ended) throw brokenOff();
      return answer.finish(signal.aborted);
    } catch (error) {
      const stateLost = await carried.failed(error);
      if (signal.aborted) return answer.finish(true);
      deps.emit({ type: 'assistant_discarded', messageId });
      if (stateLost) continue;
      if (!(error instanceof ProviderError)) throw error;
      const plan = planRetry(error, attempt, deps.random);
      if (!plan) throw error;
      attempt = plan.attempt;
      deps.emit({
        type: 'retry_waiting',
        attempt: plan.attempt,
        maxAttempts: plan.maxAttempts,
        untilMs: deps.clock.now() + plan.waitMs,
        reason: error.message,
      });
      try {
        await deps.clock.sleep(plan.waitMs, signal);
      } catch {
        return new AnswerBuilder().finish(true);
      }
      deps.emit({ type: 'retry_resumed' });
    }
  }
}

type Delta = { index: number; block: 'text' | 'thinking'; text: string };

/** Collects stream events into stored blocks, keyed by the provider's block index. */
class AnswerBuilder {
  readonly #blocks = new Map<number, AssistantBlock>();
  #usage: TokenUsage | undefined;
  #stopReason: StopReason | undefined;
  #backendState: JsonValue | undefined;

  add(event: StreamEvent): Delta | undefined {
    switch (event.type) {
      case 'text_delta': {
        const block = this.#blocks.get(event.index);
        if (block?.type === 'text') block.text += event.text;
        else this.#blocks.set(event.index, { type: 'text', text: event.text });
        return { index: event.index, block: 'text', text: event.text };
      }
      case 'thinking_delta':
        return { index: event.index, block: 'thinking', text: event.text };
      case 'thinking_end':
        this.#blocks.set(event.index, { type: 'thinking', thinking: event.thinking, signature: event.signature });
        return undefined;
      case 'redacted_thinking':
        this.#blocks.set(event.index, { type: 'redacted_thinking', data: event.data });
        return undefined;
      case 'tool_call_end':
        this.#blocks.set(event.index, {
          type: 'tool_call',
          callId: event.callId,
          name: event.name,
          input: event.input,
          ...(event.problem === undefined ? {} : { problem: event.problem }),
        });
        return undefined;
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'backend_state':
        this.#backendState = event.value;
        return undefined;
      case 'backend_state_retired':
        this.#backendState = undefined;
        return undefined;
      case 'end':
        this.#stopReason = event.stopReason;
        return undefined;
      case 'tool_call_start':
      case 'tool_call_delta':
        return undefined;
    }
  }

  get ended(): boolean {
    return this.#stopReason !== undefined;
  }

  finish(stopped: boolean): ModelAnswer {
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => healed(block));
    const incomplete = stopped && this.#stopReason === undefined;
    return {
      blocks,
      stopReason: this.#stopReason ?? 'stopped',
      incomplete,
      usage: this.#usage,
      backendState: this.#stopReason === undefined ? undefined : this.#backendState,
    };
  }
}

function brokenOff(): ProviderError {
  return new ProviderError('cut', 'The model’s answer broke off before it was complete.', {
    advice: 'Try again; if it happens often, check the connection or choose another model.',
  });
}

/** A surrogate pair may arrive in two deltas, so text is healed once it is whole (case A17). */
function healed(block: AssistantBlock): AssistantBlock {
  return block.type === 'text' ? { ...block, text: wellFormed(block.text) } : block;
}
