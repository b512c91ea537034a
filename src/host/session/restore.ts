// What a stored session's records are turned into when it is opened. No vscode import.
import type { Generation } from '../../core/conversation/generation.ts';
import { Lineage } from '../../core/conversation/lineage.ts';
import type { Message } from '../../core/conversation/message.ts';
import type { SessionRecord } from '../../core/sessions/records.ts';
import { replayConversation } from '../../core/sessions/replay.ts';
import { Calibration } from '../../core/tokens/calibration.ts';

/** `damaged`: records that did not fit and were passed over. */
export function lineageOf(records: readonly SessionRecord[]): { lineage: Lineage; damaged: number } {
  const lineage = new Lineage();
  return { lineage, damaged: replayConversation(records, lineage) };
}

/** Absolute paths of the workspace folders that the session was started in. */
export function startingRoots(records: readonly SessionRecord[]): readonly string[] {
  const [first] = records;
  return first?.type === 'session' ? first.roots : [];
}

/** What the providers reported before the reload counts again (design section 11). */
export function calibrationOf(records: readonly SessionRecord[]): Calibration {
  const calibration = new Calibration();
  for (const record of records) {
    if (record.type !== 'usage') continue;
    calibration.observe(record.usage.model, record.usage.rawEstimate, record.usage.usage.input);
  }
  return calibration;
}

export function entriesOf(records: readonly SessionRecord[]): (Message | Generation)[] {
  return records.flatMap((record) => {
    if (record.type === 'message') return record.message;
    return record.type === 'generation' ? record.generation : [];
  });
}
