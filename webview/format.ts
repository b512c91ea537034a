// Numbers, times and states in words.
import type { Activity, ChatState } from '../src/protocol.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** 950 → `950`, 12_345 → `12.3K`, 1_000_000 → `1M`. */
export function formatTokens(tokens: number): string {
  const count = Math.max(0, Math.round(tokens));
  if (count < 1_000) return String(count);
  // 999,950 and up would round to 1000K.
  return count < 999_950 ? `${oneDecimal(count / 1_000)}K` : `${oneDecimal(count / 1_000_000)}M`;
}

export type MeterLevel = 'normal' | 'high' | 'critical';

export interface MeterView {
  /** Share of the window, 0 to 1. */
  fraction: number;
  level: MeterLevel;
  text: string;
}

/** The meter turns to `high` above 70% of the window and to `critical` above 90%. */
export function meterView(meter: ChatState['meter']): MeterView {
  if (meter.window <= 0) {
    return {
      fraction: 0,
      level: 'normal',
      text: `${formatTokens(meter.tokens)} tokens, ${meter.source}, window unknown`,
    };
  }
  const share = meter.tokens / meter.window;
  const level = share > 0.9 ? 'critical' : share > 0.7 ? 'high' : 'normal';
  const warning = { normal: '', high: ', filling up', critical: ', almost full' }[level];
  return {
    fraction: Math.min(1, Math.max(0, share)),
    level,
    text: `${formatTokens(meter.tokens)} of ${formatTokens(meter.window)} tokens, ${meter.source}${warning}`,
  };
}

/** What the status line says; empty when the agent is idle. */
export function activityText(activity: Activity, nowMs: number): string {
  switch (activity.kind) {
    case 'idle':
      return '';
    case 'working':
      return activity.label;
    case 'compacting':
      return 'Compacting the conversation';
    case 'waiting_for_approval':
      return 'Waiting for your approval';
    case 'waiting_to_retry': {
      const when = countdown(activity.untilMs - nowMs);
      return `${withFullStop(activity.reason)} Trying again ${when}, attempt ${activity.attempt} of ${activity.maxAttempts}.`;
    }
  }
}

/** How long the agent has been at one thing; empty for what is done in a moment. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1_000);
  if (seconds < 3) return '';
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Rounded up, so that the count ends when the wait ends. */
export function countdown(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000);
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `in ${seconds} s`;
  const rest = seconds % 60;
  return `in ${Math.floor(seconds / 60)} min${rest > 0 ? ` ${rest} s` : ''}`;
}

/** `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, then the date. */
export function relativeTime(atMs: number, nowMs: number): string {
  const age = nowMs - atMs;
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  if (age < 2 * DAY_MS) return 'yesterday';
  if (age < 7 * DAY_MS) return `${Math.floor(age / DAY_MS)} days ago`;
  return new Date(atMs).toISOString().slice(0, 10);
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
