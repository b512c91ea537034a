// What a stored session's records are turned into when it is opened. No vscode import.
import type { Generation } from '../../core/conversation/generation.ts';
import { Lineage } from '../../core/conversation/lineage.ts';
import type { Message } from '../../core/conversation/message.ts';
import type { SessionRecord } from '../../core/sessions/records.ts';
import { replayConversation } from '../../core/sessions/replay.ts';
import { Calibration } from '../../core/tokens/calibration.ts';

export function lineageOf(records: readonly SessionRecord[]): Lineage {
  const lineage = new Lineage();
  replayConversation(records, lineage);
  return lineage;
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
