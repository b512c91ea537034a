// What the user is told when a turn does not simply end: what happened, and the way out.
import type { StopReason } from '../conversation/message.ts';
import type { ModelRef } from '../conversation/request.ts';
import { ProviderError } from '../providers/provider.ts';
import type { AgentEvent } from './events.ts';
import { MAX_FRUITLESS_ROUNDS } from './fruitlessRounds.ts';

type Notice = Extract<AgentEvent, { type: 'notice' }>;

export function pausedAtLimit(limit: number): Notice {
  return {
    type: 'notice',
    severity: 'warning',
    message: `The turn was paused after ${limit} model calls.`,
    advice: 'Go on if the work is on track, or raise the limit in the settings.',
    action: 'retry',
  };
}

export function fruitlessCalls(): Notice {
  return {
    type: 'notice',
    severity: 'error',
    message: `The model sent tool calls that cannot succeed ${MAX_FRUITLESS_ROUNDS} times in a row.`,
    advice: 'Ask for the work in smaller steps, or choose another model.',
    action: 'select_model',
  };
}

export function emptyAnswer(): Notice {
  return {
    type: 'notice',
    severity: 'warning',
    message: 'The model sent an empty answer.',
    advice: 'Try again, or choose another model.',
    action: 'retry',
  };
}

/** Undefined: the answer ended as it should. */
export function endedEarly(reason: StopReason): Notice | undefined {
  const texts: Partial<Record<StopReason, [message: string, advice: string]>> = {
    max_tokens: ['The answer reached the model’s output limit and was cut.', 'Send "go on" to have it continued.'],
    refusal: ['The model declined to answer.', 'Rephrase the request or choose another model.'],
    context_exceeded: ['The model’s context window is full.', 'Compact the conversation, then go on.'],
  };
  const [message, advice] = texts[reason] ?? [];
  return message === undefined ? undefined : { type: 'notice', severity: 'warning', message, advice };
}

export function longButNotCompacted(reason: string): Notice {
  return {
    type: 'notice',
    severity: 'warning',
    message: `The conversation is long, but it was not compacted: ${reason}`,
    advice: 'The context report names the largest parts. A long AGENTS.md can be switched off in the settings.',
    action: 'context_report',
  };
}

/** Tokens that the provider reported; the cap of a transcript that it owns is reached. */
export function windowIsFull(tokens: number, window: number, ref: ModelRef): ProviderError {
  return new ProviderError(
    'too_long',
    `The conversation takes ${tokens.toLocaleString('en')} of the ${window.toLocaleString('en')} tokens that ${ref.model} holds; the turn was stopped before it is full.`,
    { advice: 'Send a message to have the conversation compacted and go on, or start a new session.' },
  );
}

/** Tokens; nothing can be left out any more. */
export function doesNotFit(tokens: number, window: number, ref: ModelRef): ProviderError {
  return new ProviderError(
    'too_long',
    `The conversation needs about ${tokens.toLocaleString('en')} tokens and does not fit ${ref.model} with its ${window.toLocaleString('en')}.`,
    {
      advice:
        'Shorten the message, or put long text into a file and name it; or choose a model with a larger window. The context report names the largest parts.',
    },
  );
}
