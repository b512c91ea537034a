import { shortened, summarizedArguments } from '../conversation/argumentSummary.ts';
import type { ToolCallBlock, ToolMessage, ToolStatus } from '../conversation/message.ts';

/** Code points. */
const LONGEST_TITLE = 80;

const MARKS: Record<ToolStatus, string> = { ok: '✓', error: '✗', denied: '⊘ denied', interrupted: '… interrupted' };

/** One Markdown list item: how the call ended, the tool, its main arguments, and the id under which its result is kept. */
export function callSummary(call: ToolCallBlock, result: ToolMessage | undefined): string {
  const mark = MARKS[result?.status ?? 'interrupted'];
  const { title, exitCode } = result?.detail ?? {};
  const subject = title === undefined ? argumentsOf(call.input) : inlineCode(oneLine(title));
  const exit = exitCode === undefined || exitCode === 0 ? '' : `(exit code ${exitCode})`;
  const id = result ? `[${result.id}]` : '';
  return `- ${[mark, call.name, subject, exit, id].filter((text) => text !== '').join(' ')}`;
}

function argumentsOf(input: unknown): string {
  return summarizedArguments(input)
    .map(({ name, value }) => `${name} ${inlineCode(value)}`)
    .join(', ');
}

function oneLine(title: string): string {
  return shortened(title.replace(/\s+/g, ' ').trim(), LONGEST_TITLE);
}

/** Fenced with more backticks than the text holds. */
function inlineCode(text: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const gap = longestRun > 0 ? ' ' : '';
  return `${fence}${gap}${text}${gap}${fence}`;
}
