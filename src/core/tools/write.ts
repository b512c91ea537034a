import { createHash } from 'node:crypto';
import * as z from 'zod';
import description from '../../../templates/tools/write.md';
import { isReadNote } from '../conversation/readNote.ts';
import { stillLeadsTo, writeApproval } from './approval.ts';
import { failure, fileFailure, NOT_FILE_TEXT } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { type ResolvedPath, resolvePath } from './resolvePath.ts';
import { decodeText, encodeText, lineEndingOf, type TextFile } from './textFile.ts';
import type { Tool } from './tool.ts';
import { unifiedDiff } from './unifiedDiff.ts';

const input = z.object({ path: z.string().min(1), content: z.string() });

type Input = z.infer<typeof input>;

export const writeTool: Tool<Input> = {
  name: 'write',
  description: description.trim(),
  effect: 'write',
  parallel: false,
  input,
  title: ({ path }) => path,
  /** What cannot be written is not asked for: it fails by itself. */
  async approval({ path, content }, { files }) {
    if (isReadNote(content)) return undefined;
    const resolved = await resolvePath(path, files);
    const old = await existing(resolved, files);
    const verb = old === undefined ? 'Create' : 'Overwrite';
    return writeApproval(resolved, verb, unifiedDiff(resolved.shown, old?.text ?? '', content));
  },
  async execute({ path, content }, context) {
    const { files } = context;
    const resolved = await resolvePath(path, files);
    const { shown } = resolved;
    if (isReadNote(content)) return failure(`${shown}: ${NOT_FILE_TEXT}`);
    try {
      if ((await files.stat(resolved.path))?.kind === 'folder') return failure(`${shown} is a folder.`);
      const old = await existing(resolved, files);
      const text = old && lineEndingOf(old.text) === '\r\n' ? content.replace(/\r?\n/g, '\r\n') : content;
      if (!(await stillLeadsTo(resolved, context)))
        return failure(`${shown} leads elsewhere now; nothing was written.`);
      await files.write(
        resolved.path,
        encodeText({ text: text.replace(/^\ufeff/, ''), encoding: old?.encoding ?? 'utf8' }),
      );
      return {
        status: 'ok',
        content: `${old === undefined ? 'Created' : 'Replaced'} ${shown}, ${content.split('\n').length} lines.`,
        detail: {
          path: resolved.path,
          diff: unifiedDiff(shown, old?.text ?? '', text),
          fileHash: createHash('sha256').update(text).digest('hex'),
        },
      };
    } catch (error) {
      return fileFailure(shown, error);
    }
  },
};

/** Undefined: there is no such file, or it is binary, so there is nothing whose form could be kept. */
async function existing({ path }: ResolvedPath, files: WorkspaceFiles): Promise<TextFile | undefined> {
  if ((await files.stat(path))?.kind !== 'file') return undefined;
  return decodeText(await files.read(path));
}
