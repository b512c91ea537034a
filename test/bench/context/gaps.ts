// How long the agent was idle before each model call.
import { seededRandom } from './random.ts';
import type { BenchSession } from './sessions.ts';

export const GAP_MODES = ['recorded', 'warm', 'coldheavy'] as const;
export type GapMode = (typeof GAP_MODES)[number];

const MINUTE = 60;
const HOUR = 3_600;
/** A cache of five minutes never dies of such a gap. Seconds. */
const LONGEST_WARM = 120;
/** What part of the gaps before a user's message is a moment, a pause, or a night. */
const SHARES = { recorded: [0.75, 0.2], coldheavy: [0.4, 0.4] } as const;

/** Milliseconds before each step; the first one has none. */
export function gapsBefore(session: BenchSession, mode: GapMode, seed: number): number[] {
  return session.steps.map(({ users, idleSeconds }, index) => {
    if (index === 0) return 0;
    // A generator for each step: one recorded gap more or less moves no other.
    const random = seededRandom(`${seed} ${session.id} ${index}`);
    const isTurn = users.length > 0;
    const drawn = isTurn ? turnSeconds(random, mode) : 6 * logNormal(random, 0.7);
    const redrawn = mode === 'coldheavy' && isTurn;
    const seconds = redrawn ? drawn : (idleSeconds ?? drawn);
    return 1_000 * (mode === 'warm' ? Math.min(seconds, LONGEST_WARM) : seconds);
  });
}

function turnSeconds(random: () => number, mode: GapMode): number {
  const [moment, pause] = SHARES[mode === 'coldheavy' ? 'coldheavy' : 'recorded'];
  const kind = random();
  if (kind < moment) return 60 * logNormal(random, 1);
  if (kind < moment + pause) return uniform(random, 5 * MINUTE, HOUR);
  return uniform(random, HOUR, 8 * HOUR);
}

function uniform(random: () => number, from: number, to: number): number {
  return from + random() * (to - from);
}

/** Median 1. */
function logNormal(random: () => number, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return Math.exp(sigma * radius * Math.cos(2 * Math.PI * random()));
}
