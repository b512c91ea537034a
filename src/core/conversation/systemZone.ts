import { wellFormed } from '../platform/text.ts';
import type { GenerationView } from './generation.ts';
import type { SystemBlock } from './request.ts';

/** Source of the system block that holds the summary; all blocks before it are static. */
export const SUMMARY_SOURCE = 'conversation_summary';

export function projectSystem({ generation: { head, summary } }: GenerationView): SystemBlock[] {
  const blocks = summary === undefined ? head.system : [...head.system, { source: SUMMARY_SOURCE, text: summary }];
  return blocks.map((block) => (block.text.isWellFormed() ? block : { ...block, text: wellFormed(block.text) }));
}
