import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { clipUnits, clipUtf8, codePointCount, utf8Length } from '../platform/text.ts';

/** Milliseconds after which two very different texts are shown as replaced as a whole. */
const DIFF_TIMEOUT_MS = 1_000;
/** UTF-16 units shown of one line. */
const MAX_LINE_UNITS = 2_000;
/** UTF-8 bytes; a diff is looked at and stored, a whole bundle in it would serve nobody. */
const MAX_DIFF_BYTES = 256 * 1024;

/**
 * Hunks with three lines of context; `---`/`+++` lines name the file. What is too long to be looked at is cut, and the
 * diff says so in a line that begins with a backslash.
 */
export function unifiedDiff(shown: string, before: string, after: string): string {
  const options = { context: 3, timeout: DIFF_TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY };
  const patch =
    createTwoFilesPatch(shown, shown, before, after, '', '', options) ?? replacedWhole(shown, before, after);
  const lines = patch.split('\n').map((line) => {
    if (line.length <= MAX_LINE_UNITS) return line;
    // The first character is the mark of the diff.
    return `${clipUnits(line, MAX_LINE_UNITS)}\n\\ The line goes on: ${codePointCount(line) - 1} characters in all`;
  });
  const text = lines.join('\n');
  if (utf8Length(text) <= MAX_DIFF_BYTES) return text;
  const start = clipUtf8(text, MAX_DIFF_BYTES);
  const wholeLines = start.slice(0, start.lastIndexOf('\n') + 1);
  return `${wholeLines}\\ The diff goes on: ${lines.length} lines in all\n`;
}

function replacedWhole(shown: string, before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const rows = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const hunk = `@@ -1,${removed.length} +1,${added.length} @@`;
  return `--- ${shown}\n+++ ${shown}\n${hunk}\n${rows.join('\n')}\n`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
