import { createHash } from 'node:crypto';
import * as z from 'zod';
import description from '../../../templates/tools/read.md';
import { askToRead, readable, stillLeadsThere } from './approval.ts';
import { failure, fileFailure } from './outcome.ts';
import { pageOf } from './readPage.ts';
import { binaryKind, decodeText } from './textFile.ts';
import type { Tool } from './tool.ts';

/** Bytes; what is larger would fill the memory of the editor. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1),
  offset: z.int().min(1).optional().describe('first line, from 1'),
  limit: z.int().min(1).optional().describe('number of lines'),
  column: z.int().min(1).optional().describe('first character inside the line `offset`, from 1'),
});

type Input = z.infer<typeof input>;

export const readTool: Tool<Input> = {
  name: 'read',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ path, offset, limit, column }) => {
    if (offset === undefined) return path;
    const end = limit === undefined ? '' : `-${offset + limit - 1}`;
    return `${path}, line ${offset}${column === undefined ? end : `, column ${column}`}`;
  },
  approval: (args, { files }) => askToRead(args, args.path, 'Read', files),
  async execute(args, { files }) {
    const found = await readable(args, args.path, 'Read', files);
    if ('failed' in found) return found.failed;
    const { path, shown } = found.resolved;
    try {
      const stat = await files.stat(path);
      if (!stat) return failure(`${shown} does not exist. Use glob or list to find it.`);
      if (stat.kind === 'folder') return failure(`${shown} is a folder. Use list.`);
      if (stat.kind !== 'file') return failure(`${shown} is not a regular file.`);
      if (stat.size > MAX_FILE_BYTES) {
        return failure(
          `${shown} has ${stat.size} bytes, more than read can hold. Use grep, or bash with sed -n, head -c or tail -c.`,
        );
      }
      const bytes = await files.read(path);
      if (!(await stillLeadsThere(found.resolved, files))) {
        return failure(`${shown} was not read: it leads elsewhere than a moment ago. Call again.`);
      }
      const file = decodeText(bytes);
      if (!file) return failure(`${shown} is ${binaryKind(bytes)} of ${bytes.length} bytes, not text.`);
      const page = pageOf(file.text, args);
      if ('problem' in page) return failure(`${shown}: ${page.problem}`);
      const doubt = file.isExact
        ? ''
        : '[Not all of it is valid text of its encoding; some characters may be wrong.]\n';
      return {
        status: 'ok',
        content: doubt + page.content,
        detail: {
          title: `${shown}, ${page.range}`,
          path,
          fileHash: createHash('sha256').update(file.text).digest('hex'),
          ...(page.lines ? { lines: page.lines } : {}),
        },
      };
    } catch (error) {
      return fileFailure(shown, error);
    }
  },
};
