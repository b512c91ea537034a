// How well a session bears repeated compaction (seed heading "Escalation and replacement"): each stage loses details,
// and the user should hear of it before the loss shows.

export interface SessionHealth {
  severity: 'info' | 'warning' | 'critical';
  sessionState: 'stable' | 'fragile' | 'likely_lossy';
  /** Stages of compaction applied in this run. */
  compactionCount: number;
  /** What the user can do, for the user. */
  guidance: string;
}

const WARNING_THRESHOLD = 2;
const CRITICAL_THRESHOLD = 3;
/** Percent of the hard limit by which the prompt exceeds it. */
const FRAGILE_PERCENT = 20;

const GUIDANCE: Record<SessionHealth['sessionState'], string> = {
  stable: 'Go on; if earlier details seem to be missing, name them again.',
  fragile:
    'Bring the work to a point where it can rest, have open points written to a file, and start a new session soon.',
  likely_lossy:
    'Start a new session now: have the state of the work written to a file first, and begin the new one with it.',
};

/** A run that was stopped because its transcript fills the window and can no longer be summarised. */
export function fullWindowHealth(compactionCount: number): SessionHealth {
  const sessionState = 'likely_lossy';
  return { severity: 'critical', sessionState, compactionCount, guidance: GUIDANCE[sessionState] };
}

/** `promptTokens`: the prompt after the compaction; `hardLimitTokens`: the longest prompt that may be sent. */
export function sessionHealth(
  compactionCount: number,
  { promptTokens, hardLimitTokens }: { promptTokens: number; hardLimitTokens: number },
): SessionHealth {
  const fragile = (promptTokens - hardLimitTokens) * 100 >= hardLimitTokens * FRAGILE_PERCENT;
  const level = (compactionCount >= WARNING_THRESHOLD ? 1 : 0) + (fragile ? 1 : 0);
  const of = (severity: SessionHealth['severity'], sessionState: SessionHealth['sessionState']): SessionHealth => ({
    severity,
    sessionState,
    compactionCount,
    guidance: GUIDANCE[sessionState],
  });
  if (compactionCount >= CRITICAL_THRESHOLD || level === 2) return of('critical', 'likely_lossy');
  return level === 1 ? of('warning', 'fragile') : of('info', 'stable');
}
