import { createHash } from 'node:crypto';
import * as z from 'zod';
import description from '../../../templates/tools/read.md';
import type { ToolDetail } from '../conversation/message.ts';
import { clipUtf8, utf8Length } from '../platform/text.ts';
import { readApproval } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import { resolveForReading } from './resolvePath.ts';
import { binaryKind, decodeText } from './textFile.ts';
import type { Tool, ToolOutcome } from './tool.ts';

/** UTF-8 bytes of one page; such results are never saved elsewhere (design section 11). */
export const READ_PAGE_BYTES = 24 * 1024;
/** Bytes; a file beyond this is read with a command, not into memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const DEFAULT_LINES = 2_000;
/** Room for the note about what was left out. */
const NOTE_BYTES = 512;

const input = z.object({
  path: z.string().min(1),
  offset: z.int().min(1).optional().describe('first line, from 1'),
  limit: z.int().min(1).optional().describe('number of lines'),
  column: z.int().min(1).optional().describe('first character inside the line `offset`, from 1'),
});

type Input = z.infer<typeof input>;

export const readTool: Tool<Input> = {
  name: 'read',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ path, offset, limit }) =>
    offset ? `${path}, line ${offset}${limit ? `-${offset + limit - 1}` : ''}` : path,
  async approval({ path }, { files }) {
    return readApproval(await resolveForReading(path, files), 'Read');
  },
  async execute(args, { files }) {
    const resolved = await resolveForReading(args.path, files);
    const { shown } = resolved;
    try {
      const stat = await files.stat(resolved.path);
      if (!stat) return failure(`${shown} does not exist. Use glob or list to find it.`);
      if (stat.kind === 'folder') return failure(`${shown} is a folder. Use list.`);
      if (stat.kind !== 'file') return failure(`${shown} is not a regular file.`);
      if (stat.size > MAX_FILE_BYTES)
        return failure(`${shown} has ${stat.size} bytes: too large to read. Use grep or a command.`);
      const bytes = await files.read(resolved.path);
      const file = decodeText(bytes);
      if (!file) return failure(`${shown} is ${binaryKind(bytes)} of ${bytes.length} bytes, not text.`);
      const { lines, ...page } = pageOf(file.text, shown, args);
      const fileHash = createHash('sha256').update(file.text).digest('hex');
      return { ...page, detail: { path: resolved.path, fileHash, ...(lines ? { lines } : {}) } };
    } catch (error) {
      return fileFailure(shown, error);
    }
  },
};

type Page = Pick<ToolOutcome, 'status' | 'content'> & Pick<ToolDetail, 'lines'>;

function pageOf(text: string, shown: string, args: Input): Page {
  if (text === '') return { status: 'ok', content: `[${shown} is empty.]` };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = args.offset ?? 1;
  if (first > lines.length) return failure(`${shown} has ${lines.length} lines; line ${first} does not exist.`);
  const line = lines[first - 1] ?? '';
  if (args.column !== undefined || utf8Length(line) > READ_PAGE_BYTES - NOTE_BYTES) {
    return insideLine(line, shown, first, args.column ?? 1, lines.length);
  }
  const last = Math.min(lines.length, first + (args.limit ?? DEFAULT_LINES) - 1);
  const width = String(last).length;
  const out: string[] = [];
  let bytes = 0;
  let at = first;
  for (; at <= last; at++) {
    const numbered = `${String(at).padStart(width)}\t${(lines[at - 1] ?? '').replace(/\r$/, '')}`;
    bytes += utf8Length(numbered) + 1;
    if (bytes > READ_PAGE_BYTES - NOTE_BYTES) break;
    out.push(numbered);
  }
  if (at <= lines.length) {
    out.push(`[Lines ${first}-${at - 1} of ${lines.length}. Read on with offset ${at}.]`);
  }
  return { status: 'ok', content: out.join('\n'), lines: { start: first, end: at - 1, total: lines.length } };
}

/** Columns count code points, so that none is ever split. */
function insideLine(line: string, shown: string, number: number, column: number, lineCount: number): Page {
  const points = Array.from(line);
  if (column > points.length && points.length > 0) {
    return failure(`Line ${number} of ${shown} has ${points.length} characters; column ${column} does not exist.`);
  }
  const rest = points.slice(column - 1).join('');
  const part = clipUtf8(rest, READ_PAGE_BYTES - NOTE_BYTES);
  const end = column - 1 + Array.from(part).length;
  const more =
    end < points.length
      ? `Read on with offset ${number} and column ${end + 1}.`
      : number < lineCount
        ? `The next line is offset ${number + 1}.`
        : 'This is the end of the file.';
  const content = `${part}\n[Line ${number} of ${lineCount}, characters ${column}-${end} of ${points.length}. ${more}]`;
  return { status: 'ok', content };
}
