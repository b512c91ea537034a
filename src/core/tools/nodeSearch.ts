// Searching in plain Node, for the rare editor that has no ripgrep.
import { createContext, Script } from 'node:vm';
import { walk } from './nodeWalk.ts';
import { BINARY_NOTE, type Found, type LineMatch, type LineQuery } from './searchResult.ts';
import { decodeText } from './textFile.ts';
import type { ToolContext } from './tool.ts';

/** Bytes; larger files are left out. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Milliseconds for one file: a regular expression of JavaScript can run for ever. */
const FILE_TIMEOUT_MS = 2_000;
const NOTE = '[ripgrep was not found: this was the slower built-in search.]';
const LINES_NOTE = `[ripgrep was not found: this was the slower built-in search, with JavaScript's regular expressions and without files over ${MAX_FILE_BYTES / 1024 / 1024} MB.]`;

export async function filesByNode(folder: string, context: ToolContext): Promise<Found<string>> {
  return { items: await walk(folder, context), notes: [NOTE] };
}

export async function linesByNode(
  { pattern, where, ignoreCase, around }: LineQuery,
  inGlob: (path: string) => boolean,
  context: ToolContext,
): Promise<Found<LineMatch>> {
  const find = matchFinder(expressionFrom(pattern, ignoreCase ? 'i' : ''));
  const paths = where.kind === 'folder' ? (await walk(where.path, context)).filter(inGlob) : [where.path];
  const items: LineMatch[] = [];
  const notes = [LINES_NOTE];
  for (const path of paths) {
    context.signal.throwIfAborted();
    const lines = await linesOfFile(path, context);
    if (lines === 'binary') {
      if (where.kind !== 'folder') notes.unshift(BINARY_NOTE);
      continue;
    }
    const matchesAt = find(lines);
    const shown = new Set<number>();
    for (const [index, matchAt] of matchesAt.entries()) {
      if (matchAt < 0) continue;
      for (let near = index - around; near <= index + around; near++) shown.add(near);
    }
    for (const index of shown) {
      const text = lines[index];
      const matchAt = matchesAt[index] ?? -1;
      if (text === undefined) continue;
      items.push({ path, line: index + 1, text, matchAt: Math.max(0, matchAt), isContext: matchAt < 0 });
    }
  }
  return { items, notes };
}

/** Characters are code points, as in ripgrep, unless the pattern has an escape that only the older syntax allows. */
function expressionFrom(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${LINES_NOTE}`);
    }
  }
}

/** For each line the index of its first match or -1. Errors: when that takes too long, which nothing else could end. */
function matchFinder(pattern: RegExp): (lines: string[]) => number[] {
  const box = createContext({ pattern, lines: [] as string[] });
  const script = new Script('lines.map((line) => pattern.exec(line)?.index ?? -1)');
  return (lines) => {
    box.lines = lines;
    return Array.from(script.runInContext(box, { timeout: FILE_TIMEOUT_MS }) as number[]);
  };
}

async function linesOfFile(path: string, { files }: ToolContext): Promise<string[] | 'binary'> {
  const stat = await files.stat(path).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return [];
  const bytes = await files.read(path).catch(() => undefined);
  if (!bytes || bytes.length === 0) return [];
  const file = decodeText(bytes);
  if (!file || (!file.encoding.startsWith('utf16') && bytes.includes(0))) return 'binary';
  // What follows the last line break is a line only if there is something.
  return file.text.replace(/\r?\n$/, '').split(/\r?\n/);
}
