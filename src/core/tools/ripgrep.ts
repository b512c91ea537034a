// Searching with ripgrep, started with an argument list (case A26).
import { dirname, join } from 'node:path';
import { ignoreBoundary } from './ignoreBoundary.ts';
import type { CommandResult } from './ports.ts';
import { BINARY_NOTE, type Found, type LineMatch, type LineQuery } from './searchResult.ts';
import type { ToolContext } from './tool.ts';

/** Milliseconds. */
const SEARCH_TIMEOUT_MS = 30_000;
/** Bytes of ripgrep's output that are looked at. */
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;

/** Hidden files count; files that cannot be read are passed over. */
const COMMON = ['--no-config', '--no-messages', '--hidden'];
const LEFT_OUT = ['--glob', '!.git', '--glob', '!node_modules'];

export async function filesByRipgrep(folder: string, context: ToolContext): Promise<Found<string>> {
  // Only exclusions are left to ripgrep: a glob that includes would bring back files that .gitignore names.
  const boundary = await boundaryArgs(folder, context);
  const result = await run([...COMMON, ...boundary, ...LEFT_OUT, '--files', '--null'], folder, context);
  const names = result.output.split('\0');
  // What follows the last NUL is empty, or a path that was cut.
  names.pop();
  return { items: names.map((name) => join(folder, name)), notes: notesOn(result) };
}

export async function linesByRipgrep(
  { pattern, where, glob, ignoreCase, around }: LineQuery,
  inGlob: (path: string) => boolean,
  context: ToolContext,
): Promise<Found<LineMatch>> {
  const isFolder = where.kind === 'folder';
  const args = [...COMMON, '--json', '--crlf', '--context', String(around)];
  if (isFolder) args.push(...(await boundaryArgs(where.path, context)), ...LEFT_OUT, ...typeHint(glob));
  if (ignoreCase) args.push('--ignore-case');
  args.push(`--regexp=${pattern}`, '--', isFolder ? '.' : where.path);
  const result = await run(args, isFolder ? where.path : dirname(where.path), context);
  const rows = result.output.split('\n');
  const folder = isFolder ? where.path : '';
  const binary = binaryFiles(rows, folder);
  const items = rows.flatMap((row) => lineOf(row, folder)).filter(({ path }) => inGlob(path) && !binary.has(path));
  // Exit code 2 with results: something could not be read, the rest was searched.
  if (result.exitCode === 2 && items.length === 0) {
    throw new Error(rows.filter((row) => row !== '' && !row.startsWith('{"type":')).join('\n') || 'ripgrep failed.');
  }
  const notes = notesOn(result);
  return { items, notes: !isFolder && binary.size > 0 ? [BINARY_NOTE, ...notes] : notes };
}

/** Within a repository ripgrep keeps the boundary by itself; outside it would ignore .gitignore files, or go up to the root. */
async function boundaryArgs(folder: string, { files }: ToolContext): Promise<string[]> {
  const realFolder = await files.realPath(folder);
  const { top, isRepository } = await ignoreBoundary(realFolder, files);
  if (isRepository) return [];
  return top === realFolder ? ['--no-require-git', '--no-ignore-parent'] : ['--no-require-git'];
}

/** ripgrep gives the lines before the first NUL byte all the same, and says only at the end of a file that there was one. */
function binaryFiles(rows: readonly string[], folder: string): Set<string> {
  const found = new Set<string>();
  for (const row of rows) {
    if (!row.startsWith('{"type":"end"') || row.includes('"binary_offset":null')) continue;
    const { data } = JSON.parse(row) as RipgrepRow;
    found.add(join(folder, bytesOf(data.path).toString('utf8')));
  }
  return found;
}

/** Spares ripgrep files that the glob will drop anyway: types, unlike globs, do not override .gitignore. */
function typeHint(glob: string | undefined): string[] {
  const name = glob?.split('/').at(-1) ?? '';
  return /^[\w.*?-]+$/.test(name) && name !== '**' ? ['--type-add', `narrowed:${name}`, '--type', 'narrowed'] : [];
}

interface RipgrepText {
  text?: string;
  /** Base64, when it is not UTF-8. */
  bytes?: string;
}

interface RipgrepRow {
  type: string;
  data: { path: RipgrepText; lines: RipgrepText; line_number: number; submatches: { start: number }[] };
}

function lineOf(json: string, folder: string): LineMatch[] {
  if (!json.startsWith('{"type":"match"') && !json.startsWith('{"type":"context"')) return [];
  let row: RipgrepRow;
  try {
    row = JSON.parse(json) as RipgrepRow;
  } catch {
    // The last row of an output that was cut at its limit.
    return [];
  }
  const { type, data } = row;
  const bytes = bytesOf(data.lines);
  const whole = bytes.toString('utf8');
  const text = whole.replace(/\r?\n$/, '').replace(/^\ufeff/, '');
  const start = data.submatches[0]?.start ?? 0;
  return [
    {
      path: join(folder, bytesOf(data.path).toString('utf8')),
      line: data.line_number,
      text,
      matchAt: bytes.subarray(0, start).toString('utf8').length,
      isContext: type === 'context',
    },
  ];
}

function bytesOf({ text, bytes }: RipgrepText): Buffer {
  return text === undefined ? Buffer.from(bytes ?? '', 'base64') : Buffer.from(text, 'utf8');
}

function run(args: readonly string[], cwd: string, { processes, ripgrepPath = 'rg', signal }: ToolContext) {
  return processes.run(ripgrepPath, args, {
    cwd,
    timeoutMs: SEARCH_TIMEOUT_MS,
    signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
}

function notesOn({ timedOut, cut, exitCode }: CommandResult): string[] {
  if (timedOut) return [`[Not complete: the search was ended after ${SEARCH_TIMEOUT_MS / 1_000} s. Narrow it.]`];
  if (cut) return [`[Not complete: more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB were found. Narrow the search.]`];
  if (exitCode === undefined) return ['[Not complete: ripgrep was ended by the system.]'];
  return [];
}
