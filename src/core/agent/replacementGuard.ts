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

export interface Replaceable {
  replacementRefusal(): string | undefined;
  close(): Promise<void>;
}

/** The message is the reason. */
export class ReplacementRefusedError extends Error {
  override readonly name = 'ReplacementRefusedError';
}

/**
 * Opens another conversation and shows it in place of the current one, which is closed then. Errors:
 * ReplacementRefusedError, also when work began while the other one was being opened; those of `open`. The current one
 * stays as it is then.
 */
export async function replaceConversation<Conversation extends Replaceable>(
  current: Replaceable | undefined,
  open: () => Promise<Conversation>,
  show: (next: Conversation) => Promise<void>,
): Promise<void> {
  refuseIfAtWork(current);
  const next = await open();
  try {
    refuseIfAtWork(current);
  } catch (error) {
    await next.close();
    throw error;
  }
  await show(next);
  await current?.close();
}

function refuseIfAtWork(current: Replaceable | undefined): void {
  const refusal = current?.replacementRefusal();
  if (refusal !== undefined) throw new ReplacementRefusedError(refusal);
}
