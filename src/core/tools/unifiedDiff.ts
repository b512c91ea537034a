import { createTwoFilesPatch } from 'diff';

/** Milliseconds after which two very different texts are shown as replaced as a whole. */
const DIFF_TIMEOUT_MS = 1_000;

/** Hunks with three lines of context; `---`/`+++` lines name the file. */
export function unifiedDiff(shown: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(shown, shown, before, after, '', '', { context: 3, timeout: DIFF_TIMEOUT_MS });
  if (patch === undefined) return `--- ${shown}\n+++ ${shown}\n@@ the texts differ too much to compare @@\n`;
  return patch.replace(/^=+\n/, '');
}
