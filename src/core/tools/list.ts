import { join } from 'node:path';
import * as z from 'zod';
import description from '../../../templates/tools/list.md';
import { askToRead, readable } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { printable, shownPath } from './resolvePath.ts';
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
  approval: (args, { files }) => askToRead(args, args.path ?? '.', 'List', files),
  async execute(args, { files }) {
    const { path, limit = DEFAULT_ENTRIES, offset = 0 } = args;
    // With several workspace folders and no path, the folders themselves are the answer.
    if (path === undefined && files.roots.length > 1) return { status: 'ok', content: files.roots.join('\n') };
    const found = await readable(args, path ?? '.', 'List', files);
    if ('failed' in found) return found.failed;
    const { resolved } = found;
    try {
      const stat = await files.stat(resolved.path);
      if (!stat) return failure(`${resolved.shown} does not exist.`);
      if (stat.kind !== 'folder') return failure(`${resolved.shown} is not a folder. Use read.`);
      const entries = await files.list(resolved.path);
      if (entries.length === 0) return { status: 'ok', content: `[${resolved.shown} is empty.]` };
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const page = entries.slice(offset, offset + limit);
      if (page.length === 0) return failure(`${resolved.shown} has ${entries.length} entries.`);
      const lines = await Promise.all(page.map((entry) => lineFor(resolved.path, entry, files)));
      const end = offset + page.length;
      if (end < entries.length) {
        lines.push(`[Entries ${offset + 1}-${end} of ${entries.length}. Go on with offset ${end}.]`);
      }
      return { status: 'ok', content: lines.join('\n') };
    } catch (error) {
      return fileFailure(resolved.shown, error);
    }
  },
};

async function lineFor(folder: string, entry: { name: string; kind: string }, files: WorkspaceFiles): Promise<string> {
  const name = printable(entry.name);
  const path = join(folder, entry.name);
  switch (entry.kind) {
    case 'folder':
      return `${name}/`;
    case 'file': {
      const stat = await files.stat(path).catch(() => undefined);
      return stat ? `${name}  ${stat.size} bytes` : name;
    }
    case 'link': {
      const target = await files.realPath(path).catch(() => undefined);
      return target === undefined
        ? `${name}  (link in a circle)`
        : `${name}  (link to ${shownPath(target, files.roots)})`;
    }
    default:
      return `${name}  (neither file nor folder)`;
  }
}
