import type { ToolCallBlock, ToolMessage, ToolStatus } from '../conversation/message.ts';
import { clipUnits } from '../platform/text.ts';

/** Arguments worth naming, in this order, and how long they may be (fact sheet section 12). UTF-16 units. */
const ARGUMENTS = ['cwd', 'path', 'pattern', 'command', 'offset', 'limit'];
const LONGEST_VALUE = 40;
const LONGEST_COMMAND = 80;

const MARKS: Record<ToolStatus, string> = { ok: '✓', error: '✗', denied: '⊘ denied', interrupted: '… interrupted' };

/** One Markdown list item: how the call ended, the tool, its main arguments. */
export function callSummary(call: ToolCallBlock, result: ToolMessage | undefined): string {
  const mark = MARKS[result?.status ?? 'interrupted'];
  const { title, exitCode } = result?.detail ?? {};
  const subject = title === undefined ? argumentsOf(call.input) : inlineCode(collapsed(title, LONGEST_COMMAND));
  const exit = exitCode === undefined || exitCode === 0 ? '' : ` (exit code ${exitCode})`;
  return `- ${[mark, call.name, subject].filter((text) => text !== '').join(' ')}${exit}`;
}

function argumentsOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const values: Record<string, unknown> = { ...input };
  return ARGUMENTS.flatMap((name) => {
    const value = values[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = collapsed(String(value), name === 'command' ? LONGEST_COMMAND : LONGEST_VALUE);
    return [`${name} ${inlineCode(text)}`];
  }).join(', ');
}

function collapsed(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${clipUnits(line, longest)}…` : line;
}

/** Fenced with more backticks than the text holds. */
function inlineCode(text: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const gap = longestRun > 0 ? ' ' : '';
  return `${fence}${gap}${text}${gap}${fence}`;
}
