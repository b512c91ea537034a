import * as z from 'zod';
import description from '../../../templates/tools/glob.md';
import { readApproval } from './approval.ts';
import { failure } from './outcome.ts';
import { resolvePath, shownPath } from './resolvePath.ts';
import { findFiles } from './search.ts';
import { searchFolders } from './searchFolders.ts';
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
  async approval({ path }, { files }) {
    return path === undefined ? undefined : readApproval(await resolvePath(path, files), 'Search');
  },
  async execute({ pattern, path, limit = DEFAULT_FILES, offset = 0 }, context) {
    const folders = await searchFolders(path, context);
    if ('problem' in folders) return failure(folders.problem);
    const found: string[] = [];
    for (const folder of folders.paths) found.push(...(await findFiles(folder, pattern, context)));
    const page = found.slice(offset, offset + limit).map((each) => shownPath(each, context.files.roots));
    const end = offset + page.length;
    if (found.length === 0) return { status: 'ok', content: `[No file matches ${pattern}.]` };
    if (end < found.length) page.push(`[Files ${offset + 1}-${end} of ${found.length}. Go on with offset ${end}.]`);
    return { status: 'ok', content: page.join('\n') };
  },
};
