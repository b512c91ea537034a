// Searching in plain Node, for the rare editor that has no ripgrep.
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import ignore from 'ignore';
import type { Found, LineMatch, LineQuery } from './searchResult.ts';
import { decodeText } from './textFile.ts';
import type { ToolContext } from './tool.ts';

const LEFT_OUT = ['.git', 'node_modules'];
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
  const find = matchFinder(new RegExp(pattern, ignoreCase ? 'i' : ''));
  const paths = where.kind === 'folder' ? (await walk(where.path, context)).filter(inGlob) : [where.path];
  const items: LineMatch[] = [];
  for (const path of paths) {
    context.signal.throwIfAborted();
    const lines = await linesOfFile(path, context);
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
  return { items, notes: [LINES_NOTE] };
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

async function linesOfFile(path: string, { files }: ToolContext): Promise<string[]> {
  const stat = await files.stat(path).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return [];
  const bytes = await files.read(path).catch(() => undefined);
  return (bytes && decodeText(bytes))?.text.split(/\r?\n/) ?? [];
}

/** All files below a folder, without what .gitignore names. Links are not followed, so none can lead in a circle. */
async function walk(root: string, { files, signal }: ToolContext): Promise<string[]> {
  const found: string[] = [];
  const rules = ignore().add(LEFT_OUT);
  const visit = async (folder: string, prefix: string): Promise<void> => {
    signal.throwIfAborted();
    const entries = await files.list(folder).catch(() => []);
    if (entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file')) {
      const bytes = await files.read(join(folder, '.gitignore')).catch(() => undefined);
      const lines = (bytes && decodeText(bytes))?.text.split(/\r?\n/) ?? [];
      rules.add(lines.map((line) => ruleBelow(prefix, line)));
    }
    for (const { name, kind } of entries) {
      const path = prefix === '' ? name : `${prefix}/${name}`;
      if (kind === 'folder' && !rules.ignores(`${path}/`)) await visit(join(folder, name), path);
      if (kind === 'file' && !rules.ignores(path)) found.push(join(folder, name));
    }
  };
  await visit(root, '');
  return found;
}

/** A rule of a nested .gitignore, as the root would write it. */
function ruleBelow(prefix: string, line: string): string {
  if (prefix === '' || line.trim() === '' || line.startsWith('#')) return line;
  const [, not = '', rule = ''] = /^(!?)(.*)$/.exec(line) ?? [];
  const anchored = rule.replace(/\/$/, '').includes('/');
  return `${not}/${prefix}/${anchored ? rule.replace(/^\//, '') : `**/${rule}`}`;
}
