// Finding files and lines: ripgrep where there is one, else plain Node with the same results and limits.
import { join } from 'node:path';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { isInside } from '../security/pathPolicy.ts';
import { decodeText } from './textFile.ts';
import type { ToolContext } from './tool.ts';

/** Milliseconds. */
const SEARCH_TIMEOUT_MS = 30_000;
/** Bytes of ripgrep's output that are looked at. */
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;
/** Bytes; larger files are left out when there is no ripgrep. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const ALWAYS_LEFT_OUT = ['.git', 'node_modules'];

export interface LineMatch {
  /** Absolute. */
  path: string;
  line: number;
  text: string;
  /** Stands around a match. */
  isContext: boolean;
}

export interface LineQuery {
  pattern: string;
  /** Absolute path of a file or folder. */
  where: string;
  glob?: string | undefined;
  ignoreCase: boolean;
  context: number;
}

/** Absolute paths, sorted. Errors: when ripgrep cannot be run. */
export async function findFiles(where: string, pattern: string, context: ToolContext): Promise<string[]> {
  if (context.ripgrepPath === undefined) return (await walk(where, context)).filter(matcher(where, pattern)).sort();
  const args = ['--files', '--hidden', '--null', '--glob', '!.git', '--glob', pattern, '--', '.'];
  const { output } = await ripgrep(args, where, context);
  return output
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => join(where, path))
    .sort();
}

/** Lines in the order of their files. Errors: a pattern that is no regular expression, with the reason. */
export async function findLines(query: LineQuery, context: ToolContext): Promise<LineMatch[]> {
  return context.ripgrepPath === undefined ? linesByNode(query, context) : linesByRipgrep(query, context);
}

async function linesByRipgrep(query: LineQuery, context: ToolContext): Promise<LineMatch[]> {
  const { pattern, where, glob, ignoreCase, context: around } = query;
  const isFolder = (await context.files.stat(where))?.kind === 'folder';
  const args = ['--json', '--hidden', '--glob', '!.git', '--sort', 'path', '--context', String(around)];
  if (ignoreCase) args.push('--ignore-case');
  if (glob !== undefined) args.push('--glob', glob);
  args.push('--regexp', pattern, '--', isFolder ? '.' : where);
  const { output, exitCode } = await ripgrep(args, isFolder ? where : join(where, '..'), context);
  if (exitCode === 2 && !output.startsWith('{')) throw new Error(output.trim());
  return output.split('\n').flatMap((line) => lineOf(line, isFolder ? where : ''));
}

interface RipgrepLine {
  type: string;
  data: { path?: { text?: string }; line_number?: number; lines?: { text?: string } };
}

function lineOf(json: string, folder: string): LineMatch[] {
  if (!json.startsWith('{"type":"match"') && !json.startsWith('{"type":"context"')) return [];
  let parsed: RipgrepLine;
  try {
    parsed = JSON.parse(json) as RipgrepLine;
  } catch {
    // The last line of an output that was cut at its limit.
    return [];
  }
  const { type, data } = parsed;
  const path = data.path?.text;
  if (path === undefined || data.line_number === undefined) return [];
  const text = (data.lines?.text ?? '').replace(/\r?\n$/, '');
  return [{ path: join(folder, path), line: data.line_number, text, isContext: type === 'context' }];
}

function ripgrep(args: readonly string[], cwd: string, { processes, ripgrepPath = 'rg', signal }: ToolContext) {
  return processes.run(ripgrepPath, ['--no-config', ...args], {
    cwd,
    timeoutMs: SEARCH_TIMEOUT_MS,
    signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
}

async function linesByNode(query: LineQuery, context: ToolContext): Promise<LineMatch[]> {
  const { where, glob, ignoreCase, context: around } = query;
  const expression = new RegExp(query.pattern, ignoreCase ? 'i' : '');
  const isFolder = (await context.files.stat(where))?.kind === 'folder';
  const all = isFolder ? await walk(where, context) : [where];
  const paths = glob === undefined ? all : all.filter(matcher(where, glob));
  const found: LineMatch[] = [];
  for (const path of paths.sort()) {
    context.signal.throwIfAborted();
    const lines = await linesOfFile(path, context);
    const hits = new Set(lines.flatMap((line, index) => (expression.test(line) ? [index] : [])));
    for (const [index, text] of lines.entries()) {
      const isHit = hits.has(index);
      const isNear = [...hits].some((hit) => Math.abs(hit - index) <= around);
      if (isHit || (around > 0 && isNear)) found.push({ path, line: index + 1, text, isContext: !isHit });
    }
  }
  return found;
}

async function linesOfFile(path: string, { files }: ToolContext): Promise<string[]> {
  const stat = await files.stat(path);
  if (!stat || stat.size > MAX_FILE_BYTES) return [];
  const file = decodeText(await files.read(path));
  return file ? file.text.split(/\r?\n/) : [];
}

/** All files below a folder, without what .gitignore names. Links are not followed, so no loop can hold it. */
async function walk(root: string, { files, signal }: ToolContext): Promise<string[]> {
  const found: string[] = [];
  const rules = ignore().add(ALWAYS_LEFT_OUT);
  const visit = async (folder: string, prefix: string): Promise<void> => {
    signal.throwIfAborted();
    const entries = await files.list(folder).catch(() => []);
    if (entries.some(({ name }) => name === '.gitignore')) {
      const text = decodeText(await files.read(join(folder, '.gitignore')))?.text ?? '';
      rules.add(text.split(/\r?\n/).map((line) => below(prefix, line)));
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
function below(prefix: string, line: string): string {
  if (prefix === '' || line.trim() === '' || line.startsWith('#')) return line;
  const [, not = '', rule = ''] = /^(!?)(.*)$/.exec(line) ?? [];
  const anchored = rule.replace(/\/$/, '').includes('/');
  return `${not}/${prefix}/${anchored ? rule.replace(/^\//, '') : `**/${rule}`}`;
}

/** A pattern without a slash matches names in every folder, as in ripgrep. */
function matcher(root: string, pattern: string): (path: string) => boolean {
  const glob = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  const matches = picomatch(glob, { dot: true });
  return (path) => isInside(path, root) && matches(path.slice(root.length + 1).replaceAll('\\', '/'));
}
