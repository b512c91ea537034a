import * as z from 'zod';
import description from '../../../templates/tools/write.md';
import { isReadNote } from '../conversation/readNote.ts';
import { askForChange, makeChange, type Plan } from './fileChange.ts';
import { failure, fileFailure, NOT_FILE_TEXT } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { resolvePath } from './resolvePath.ts';
import { decodeText, lineEndingOf, type TextFile } from './textFile.ts';
import type { Tool } from './tool.ts';

const input = z.object({ path: z.string().min(1), content: z.string() });

type Input = z.infer<typeof input>;

export const writeTool: Tool<Input> = {
  name: 'write',
  description: description.trim(),
  effect: 'write',
  parallel: false,
  input,
  title: ({ path }) => path,
  approval: async (args, { files }) => askForChange(args, await planWrite(args, files)),
  execute: async (args, { files }) => makeChange(args, await planWrite(args, files), files),
};

async function planWrite({ path, content }: Input, files: WorkspaceFiles): Promise<Plan> {
  try {
    const resolved = await resolvePath(path, files);
    if (isReadNote(content)) return { failed: failure(`${resolved.shown}: ${NOT_FILE_TEXT}`) };
    const stat = await files.stat(resolved.path);
    if (stat && stat.kind !== 'file')
      return { failed: failure(`${resolved.shown} is not a file that can be written.`) };
    // A binary file has no form that could be kept.
    const old = stat && decodeText(await files.read(resolved.path));
    const after = inTheFormOf(old, content);
    const lines = after.text.split('\n').length - (after.text.endsWith('\n') ? 1 : 0);
    return {
      resolved,
      verb: stat ? 'Overwrite' : 'Create',
      before: old?.text ?? '',
      after,
      done: `${stat ? 'Replaced' : 'Created'} ${resolved.shown}, ${after.text === '' ? 'empty' : count(lines)}.`,
    };
  } catch (error) {
    return { failed: fileFailure(path, error) };
  }
}

/** Byte order mark and line ending of the file that is replaced (case A18); of a new file, those of the content. */
function inTheFormOf(old: TextFile | undefined, content: string): Pick<TextFile, 'text' | 'encoding'> {
  const text = content.replace(/^\ufeff/, '');
  if (!old) return { text, encoding: text === content ? 'utf8' : 'utf8-bom' };
  const ending = lineEndingOf(old.text);
  return { text: ending ? text.replace(/\r?\n/g, ending) : text, encoding: old.encoding };
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}
