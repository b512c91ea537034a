import * as z from 'zod';
import description from '../../../templates/tools/grep.md';
import { clipUnits } from '../platform/text.ts';
import { readApproval } from './approval.ts';
import { failure } from './outcome.ts';
import { resolvePath, shownPath } from './resolvePath.ts';
import { findLines, type LineMatch } from './search.ts';
import { searchFolders } from './searchFolders.ts';
import type { Tool } from './tool.ts';

const DEFAULT_MATCHES = 100;
const MAX_MATCHES = 500;
/** UTF-16 units of a line. */
const MAX_LINE = 400;

const input = z.object({
  pattern: z.string().min(1).describe('regular expression'),
  path: z.string().min(1).optional(),
  glob: z.string().min(1).optional(),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(10).optional().describe('lines around a match'),
  limit: z.int().min(1).max(MAX_MATCHES).optional(),
  offset: z.int().min(0).optional().describe('lines to skip'),
});

type Input = z.infer<typeof input>;

export const grepTool: Tool<Input> = {
  name: 'grep',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ pattern, path, glob }) => [pattern, glob, path].filter((part) => part !== undefined).join(' in '),
  async approval({ path }, { files }) {
    return path === undefined ? undefined : readApproval(await resolvePath(path, files), 'Search');
  },
  async execute(args, context) {
    const folders = await searchFolders(args.path, context);
    if ('problem' in folders) return failure(folders.problem);
    const found: LineMatch[] = [];
    try {
      for (const where of folders.paths) {
        const { pattern, glob, ignore_case: ignoreCase = false, context: around = 0 } = args;
        found.push(...(await findLines({ pattern, where, glob, ignoreCase, context: around }, context)));
      }
    } catch (error) {
      context.signal.throwIfAborted();
      return failure(`The search failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    return { status: 'ok', content: page(found, args, context.files.roots) };
  },
};

function page(
  found: readonly LineMatch[],
  { pattern, limit = DEFAULT_MATCHES, offset = 0 }: Input,
  roots: readonly string[],
) {
  if (found.length === 0) return `[No line matches ${pattern}.]`;
  const lines = found.slice(offset, offset + limit).map(({ path, line, text, isContext }) => {
    const shown = text.length > MAX_LINE ? `${clipUnits(text, MAX_LINE)}… [${text.length} characters]` : text;
    const mark = isContext ? '-' : ':';
    return `${shownPath(path, roots)}${mark}${line}${mark}${shown}`;
  });
  const end = offset + lines.length;
  if (end < found.length) lines.push(`[Lines ${offset + 1}-${end} of ${found.length}. Go on with offset ${end}.]`);
  return lines.join('\n');
}
