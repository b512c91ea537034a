import * as z from 'zod';
import description from '../../../templates/tools/glob.md';
import { askToRead } from './approval.ts';
import { failure } from './outcome.ts';
import { shownPath } from './resolvePath.ts';
import { findFiles } from './search.ts';
import { searchPlaces } from './searchPlaces.ts';
import type { Tool } from './tool.ts';

const DEFAULT_FILES = 200;
const MAX_FILES = 1_000;

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional(),
  limit: z.int().min(1).max(MAX_FILES).optional(),
  offset: z.int().min(0).optional().describe('files to skip'),
});

type Input = z.infer<typeof input>;

export const globTool: Tool<Input> = {
  name: 'glob',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
  approval: async (args, { files }) =>
    args.path === undefined ? undefined : askToRead(args, args.path, 'Search', files),
  async execute(args, context) {
    const { pattern, limit = DEFAULT_FILES, offset = 0 } = args;
    const places = await searchPlaces(args, args.path, context.files);
    if ('failed' in places) return places.failed;
    const all: string[] = [];
    const notes = new Set<string>();
    for (const place of places.found) {
      if (place.kind !== 'folder') return failure(`${args.path} is not a folder.`);
      const { items, notes: more } = await findFiles(place.path, pattern, context);
      for (const item of items) all.push(item);
      for (const note of more) notes.add(note);
    }
    const page = all.slice(offset, offset + limit).map((each) => shownPath(each, context.files.roots));
    const end = offset + page.length;
    if (all.length === 0) page.push(`[No file matches ${pattern}.]`);
    else if (page.length === 0) page.push(`[Only ${all.length} files match.]`);
    else if (end < all.length) page.push(`[Files ${offset + 1}-${end} of ${all.length}. Go on with offset ${end}.]`);
    return { status: 'ok', content: [...page, ...notes].join('\n') };
  },
};
