// One page of a text: whole numbered lines, or a part of one line that is longer than a page (case A19).
import type { ToolDetail } from '../conversation/message.ts';
import { clipUtf8, codePointCount, codePointIndex, utf8Length } from '../platform/text.ts';

/** UTF-8 bytes of one page; intake never saves a result of this size elsewhere (design section 11). */
export const READ_PAGE_BYTES = 24 * 1024;
/** Room for the notes about what was left out. */
const NOTE_BYTES = 512;
const TEXT_BYTES = READ_PAGE_BYTES - NOTE_BYTES;
const DEFAULT_LINES = 2_000;

/** All numbers count from 1; `column` counts code points, so that none is ever split. */
export interface PageQuery {
  offset?: number | undefined;
  limit?: number | undefined;
  column?: number | undefined;
}

/** `lines`: what a page of whole lines holds; absent inside a line. */
export type Page = { content: string; range: string; lines?: ToolDetail['lines'] } | { problem: string };

/** Never empty. Says what follows the page and with which arguments to go on. */
export function pageOf(text: string, { offset = 1, limit = DEFAULT_LINES, column }: PageQuery): Page {
  if (text === '') return { content: '[The file is empty.]', range: 'empty' };
  const starts = lineStarts(text);
  const lineCount = starts.length;
  const textEnd = text.endsWith('\n') ? text.length - 1 : text.length;
  const lineAt = (number: number) => {
    const next = starts[number];
    return text.slice(starts[number - 1], next === undefined ? textEnd : next - 1).replace(/\r$/, '');
  };
  if (offset > lineCount) return { problem: `it has ${lineCount} lines; line ${offset} does not exist.` };
  if (column !== undefined) return insideLine(lineAt(offset), { number: offset, lineCount, column });

  const last = Math.min(lineCount, offset + limit - 1);
  const width = String(last).length;
  const rows: string[] = [];
  let bytes = 0;
  for (let number = offset; number <= last; number++) {
    const line = lineAt(number);
    const row = `${String(number).padStart(width)}\t${line}`;
    bytes += utf8Length(row) + 1;
    if (bytes > TEXT_BYTES) break;
    rows.push(row);
  }
  if (rows.length === 0) return insideLine(lineAt(offset), { number: offset, lineCount, column: 1 });
  const end = offset + rows.length - 1;
  if (end < lineCount) rows.push(`[Lines ${offset}-${end} of ${lineCount}. Read on with offset ${end + 1}.]`);
  return {
    content: rows.join('\n'),
    range: `lines ${offset}-${end} of ${lineCount}`,
    lines: { start: offset, end, total: lineCount },
  };
}

function insideLine(
  line: string,
  { number, lineCount, column }: { number: number; lineCount: number; column: number },
): Page {
  const length = codePointCount(line);
  if (column > Math.max(1, length)) {
    return { problem: `line ${number} has ${length} characters; column ${column} does not exist.` };
  }
  const start = codePointIndex(line, column - 1);
  // A UTF-16 unit is at least one byte, so nothing beyond this slice could fit; nor could half a pair at its end.
  const part = clipUtf8(line.slice(start, start + TEXT_BYTES), TEXT_BYTES);
  const end = column - 1 + codePointCount(part);
  const more =
    end < length
      ? `Read on with offset ${number} and column ${end + 1}.`
      : number < lineCount
        ? `Read on with offset ${number + 1}.`
        : 'The file ends here.';
  const range = `characters ${column}-${end} of ${length}`;
  return {
    content: `${part}\n[Line ${number} of ${lineCount}, ${range}. ${more}]`,
    range: `line ${number}, ${range}`,
  };
}

/** Indices at which lines begin; the empty rest after a final line break is no line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}
