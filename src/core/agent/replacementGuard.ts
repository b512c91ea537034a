// May another conversation take this one's place? Asked before anything is swapped, so that a refusal leaves all as it
// was (seed heading "Escalation and replacement").

export interface ConversationActivity {
  /** Inputs that were accepted and have not become part of the conversation yet. */
  admissions: number;
  /** A turn or a compaction runs. */
  busy: boolean;
  runningSubAgents: number;
}

/** Why not, as a sentence for the user; undefined: it may. */
export function replacementRefusal({ admissions, busy, runningSubAgents }: ConversationActivity): string | undefined {
  if (busy) return 'The agent is still working in this session.';
  if (admissions > 0) return 'This session has input that was not taken up yet.';
  if (runningSubAgents === 1) return 'A sub-agent of this session is still running.';
  if (runningSubAgents > 1) return `${runningSubAgents} sub-agents of this session are still running.`;
  return undefined;
}
