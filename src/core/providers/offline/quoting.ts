// Quotes from the workspace in Markdown, which may hold any character.
import { clipUnits } from '../../platform/text.ts';

const MAX_LINE = 160;

/** A code span that holds backticks too. */
export function code(text: string): string {
  const line = clipLine(text.replace(/\s+/g, ' ').trim());
  if (line === '') return '(empty line)';
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `\`${line}\``;
}

/** A code block of at most `maxLines` lines, with a note of what was left out. */
export function block(text: string, maxLines: number): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, maxLines).map(clipLine).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  const rest = lines.length - maxLines;
  return `${fence}text\n${shown}\n${fence}${rest > 0 ? `\n\n${rest} more lines are in the tool result above.` : ''}`;
}

function clipLine(line: string): string {
  return line.length > MAX_LINE ? `${clipUnits(line, MAX_LINE - 1)}…` : line;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
