import { clipUnits, wellFormed } from '../platform/text.ts';

const MAX_TITLE = 80;

/** A session's title from the user's first words: one line of at most 80 UTF-16 units. */
export function sessionTitle(text: string): string {
  const line = wellFormed(text).replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${clipUnits(line, MAX_TITLE - 1).trimEnd()}…`;
}
