import { join } from 'node:path';
import * as z from 'zod';
import description from '../../../templates/tools/list.md';
import { readApproval } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { resolveForReading } from './resolvePath.ts';
import type { Tool } from './tool.ts';

const DEFAULT_ENTRIES = 200;
const MAX_ENTRIES = 1_000;

const input = z.object({
  path: z.string().min(1).optional(),
  limit: z.int().min(1).max(MAX_ENTRIES).optional(),
  offset: z.int().min(0).optional().describe('entries to skip'),
});

type Input = z.infer<typeof input>;

export const listTool: Tool<Input> = {
  name: 'list',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ path }) => path ?? '.',
  async approval({ path }, { files }) {
    return readApproval(await resolveForReading(path ?? '.', files), 'List');
  },
  async execute({ path, limit = DEFAULT_ENTRIES, offset = 0 }, { files }) {
    // With several workspace folders and no path, the folders themselves are the answer.
    if (path === undefined && files.roots.length > 1) return { status: 'ok', content: files.roots.join('\n') };
    const resolved = await resolveForReading(path ?? '.', files);
    try {
      if ((await files.stat(resolved.path))?.kind !== 'folder') return failure(`${resolved.shown} is not a folder.`);
      const entries = await files.list(resolved.path);
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const page = entries.slice(offset, offset + limit);
      const lines = await Promise.all(page.map((entry) => lineFor(resolved.path, entry, files)));
      const end = offset + page.length;
      if (end < entries.length)
        lines.push(`[Entries ${offset + 1}-${end} of ${entries.length}. Go on with offset ${end}.]`);
      return { status: 'ok', content: lines.length > 0 ? lines.join('\n') : `[${resolved.shown} is empty.]` };
    } catch (error) {
      return fileFailure(resolved.shown, error);
    }
  },
};

async function lineFor(folder: string, entry: { name: string; kind: string }, files: WorkspaceFiles): Promise<string> {
  switch (entry.kind) {
    case 'folder':
      return `${entry.name}/`;
    case 'file': {
      const stat = await files.stat(join(folder, entry.name)).catch(() => undefined);
      return stat ? `${entry.name}  ${stat.size} bytes` : entry.name;
    }
    default:
      return `${entry.name}  (${entry.kind})`;
  }
}
