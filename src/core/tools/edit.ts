import * as z from 'zod';
import description from '../../../templates/tools/edit.md';
import { isReadNote } from '../conversation/readNote.ts';
import { wellFormed } from '../platform/text.ts';
import { askForChange, makeChange, type Plan } from './fileChange.ts';
import { failure, fileFailure, NOT_FILE_TEXT } from './outcome.ts';
import type { WorkspaceFiles } from './ports.ts';
import { replaceText } from './replaceText.ts';
import { resolvePath } from './resolvePath.ts';
import { binaryKind, decodeText } from './textFile.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  path: z.string().min(1),
  old_text: z.string().min(1),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});

type Input = z.infer<typeof input>;

export const editTool: Tool<Input> = {
  name: 'edit',
  description: description.trim(),
  effect: 'write',
  parallel: false,
  input,
  title: ({ path }) => path,
  approval: async (args, { files }) => askForChange(args, await planEdit(args, files)),
  execute: async (args, { files }) => makeChange(args, await planEdit(args, files), files),
};

async function planEdit(args: Input, files: WorkspaceFiles): Promise<Plan> {
  try {
    const resolved = await resolvePath(args.path, files);
    const { path, shown } = resolved;
    const problem = (text: string): Plan => ({ failed: failure(`${shown} ${text}`) });
    if (isReadNote(args.new_text)) return { failed: failure(`${shown}: ${NOT_FILE_TEXT}`) };
    const stat = await files.stat(path);
    if (!stat) return problem('does not exist. Use write to create it.');
    if (stat.kind !== 'file') return problem('is not a file.');
    const bytes = await files.read(path);
    const file = decodeText(bytes);
    if (!file) return problem(`is ${binaryKind(bytes)}, not text.`);
    if (!file.isExact) {
      return problem('is in an encoding other than UTF-8 and UTF-16; an edit would change bytes outside it.');
    }
    // Half a surrogate pair must not match half a character.
    const replaced = replaceText(
      file.text,
      wellFormed(args.old_text),
      wellFormed(args.new_text),
      args.replace_all ?? false,
    );
    if ('problem' in replaced) return { failed: failure(`${shown}: ${replaced.problem}`) };
    const { text, count } = replaced;
    if (isReadNote(text)) return { failed: failure(`${shown}: ${NOT_FILE_TEXT}`) };
    return {
      resolved,
      verb: 'Edit',
      before: file.text,
      // The file has its byte order mark or none; one that came with the new text would be one too many (case A18).
      after: { text: file.text.startsWith('\ufeff') ? text : text.replace(/^\ufeff/, ''), encoding: file.encoding },
      done: `Edited ${shown}: ${count} ${count === 1 ? 'place' : 'places'} replaced.`,
    };
  } catch (error) {
    return { failed: fileFailure(args.path, error) };
  }
}
