import * as z from 'zod';
import description from '../../../templates/tools/grep.md';
import { clipUnits, clipUnitsFromEnd, codePointCount } from '../platform/text.ts';
import { askToRead } from './approval.ts';
import { failure } from './outcome.ts';
import { shownPath } from './resolvePath.ts';
import { findLines } from './search.ts';
import { searchPlaces } from './searchPlaces.ts';
import type { LineMatch } from './searchResult.ts';
import type { Tool } from './tool.ts';

const DEFAULT_LINES = 100;
const MAX_LINES = 500;
/** UTF-16 units shown of a line, and how many of them stand before the match. */
const EXCERPT_UNITS = 400;
const BEFORE_MATCH_UNITS = 100;

const input = z.object({
  pattern: z.string().min(1).describe('regular expression'),
  path: z.string().min(1).optional(),
  glob: z.string().min(1).optional(),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(10).optional().describe('lines around a match'),
  limit: z.int().min(1).max(MAX_LINES).optional(),
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
  approval: async (args, { files }) =>
    args.path === undefined ? undefined : askToRead(args, args.path, 'Search', files),
  async execute(args, context) {
    const { pattern, glob, ignore_case: ignoreCase = false, context: around = 0 } = args;
    const places = await searchPlaces(args, args.path, context.files);
    if ('failed' in places) return places.failed;
    const found: LineMatch[] = [];
    const notes = new Set<string>();
    try {
      for (const where of places.found) {
        const { items, notes: more } = await findLines({ pattern, where, glob, ignoreCase, around }, context);
        for (const item of items) found.push(item);
        for (const note of more) notes.add(note);
      }
    } catch (error) {
      context.signal.throwIfAborted();
      return failure(`The search failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    return { status: 'ok', content: [...page(found, args, context.files.roots), ...notes].join('\n') };
  },
};

function page(
  found: readonly LineMatch[],
  { pattern, limit = DEFAULT_LINES, offset = 0 }: Input,
  roots: readonly string[],
): string[] {
  if (found.length === 0) return [`[No line matches ${pattern}.]`];
  const rows = found.slice(offset, offset + limit).map((match) => {
    const mark = match.isContext ? '-' : ':';
    return `${shownPath(match.path, roots)}${mark}${match.line}${mark}${excerpt(match)}`;
  });
  const end = offset + rows.length;
  if (rows.length === 0) return [`[Only ${found.length} lines were found.]`];
  if (end < found.length) rows.push(`[Lines ${offset + 1}-${end} of ${found.length}. Go on with offset ${end}.]`);
  return rows;
}

/** A long line is cut around its first match; the note tells where, in the characters that `read` counts. */
function excerpt({ text, matchAt }: LineMatch): string {
  if (text.length <= EXCERPT_UNITS) return text;
  const start = Math.max(0, Math.min(matchAt - BEFORE_MATCH_UNITS, text.length - EXCERPT_UNITS));
  const rest = clipUnitsFromEnd(text, text.length - start);
  const shown = clipUnits(rest, EXCERPT_UNITS);
  const before = codePointCount(text.slice(0, text.length - rest.length));
  const after = before + codePointCount(shown);
  return `${shown} [characters ${before + 1}-${after} of ${codePointCount(text)}]`;
}
