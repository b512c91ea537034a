import recordNote from '../../../templates/notes/summary.md';
import { wellFormed } from '../platform/text.ts';
import type { GenerationView } from './generation.ts';
import type { SystemBlock } from './request.ts';

/** Source of the system block that holds the summary; all blocks before it are static. */
export const SUMMARY_SOURCE = 'conversation_summary';

/** The head's blocks as they are stored, then the summary as a record: it reports and never instructs. */
export function projectSystem({ generation: { head, summary } }: GenerationView): SystemBlock[] {
  const record = summary === undefined ? [] : [{ source: SUMMARY_SOURCE, text: `${recordNote.trim()}\n\n${summary}` }];
  return [...head.system, ...record].map((block) =>
    block.text.isWellFormed() ? block : { ...block, text: wellFormed(block.text) },
  );
}
