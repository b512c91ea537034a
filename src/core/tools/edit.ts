import { createHash } from 'node:crypto';
import * as z from 'zod';
import description from '../../../templates/tools/edit.md';
import { isReadNote } from '../conversation/readNote.ts';
import { stillLeadsTo, writeApproval } from './approval.ts';
import { failure, fileFailure, NOT_FILE_TEXT } from './outcome.ts';
import { replaceText } from './replaceText.ts';
import { type ResolvedPath, resolvePath } from './resolvePath.ts';
import { binaryKind, decodeText, encodeText, type TextFile } from './textFile.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';
import { unifiedDiff } from './unifiedDiff.ts';

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
  /** An edit that cannot be made is not asked for: it fails by itself. */
  async approval(args, context) {
    const plan = await planEdit(args, context);
    if ('failed' in plan) return undefined;
    return writeApproval(plan.resolved, 'Edit', unifiedDiff(plan.resolved.shown, plan.file.text, plan.text));
  },
  async execute(args, context) {
    const plan = await planEdit(args, context);
    if ('failed' in plan) return plan.failed;
    const { resolved, file, text, count } = plan;
    const { shown } = resolved;
    try {
      if (!(await stillLeadsTo(resolved, context)))
        return failure(`${shown} leads elsewhere now; nothing was written.`);
      await context.files.write(resolved.path, encodeText({ text, encoding: file.encoding }));
    } catch (error) {
      return fileFailure(shown, error);
    }
    return {
      status: 'ok',
      content: `Edited ${shown}: ${count} ${count === 1 ? 'place' : 'places'} replaced.`,
      detail: {
        path: resolved.path,
        diff: unifiedDiff(shown, file.text, text),
        fileHash: createHash('sha256').update(text).digest('hex'),
      },
    };
  },
};

type Plan = { failed: ToolOutcome } | { resolved: ResolvedPath; file: TextFile; text: string; count: number };

async function planEdit(args: Input, { files }: ToolContext): Promise<Plan> {
  const resolved = await resolvePath(args.path, files);
  const { path, shown } = resolved;
  try {
    if (isReadNote(args.new_text)) return { failed: failure(`${shown}: ${NOT_FILE_TEXT}`) };
    const stat = await files.stat(path);
    if (!stat) return { failed: failure(`${shown} does not exist. Use write to create it.`) };
    if (stat.kind !== 'file') return { failed: failure(`${shown} is not a file.`) };
    const bytes = await files.read(path);
    const file = decodeText(bytes);
    if (!file) return { failed: failure(`${shown} is ${binaryKind(bytes)}, not text.`) };
    const replaced = replaceText(file.text, args.old_text, args.new_text, args.replace_all ?? false);
    if ('problem' in replaced) return { failed: failure(`${shown}: ${replaced.problem}`) };
    if (isReadNote(replaced.text)) return { failed: failure(`${shown}: ${NOT_FILE_TEXT}`) };
    return { resolved, file, text: replaced.text, count: replaced.count };
  } catch (error) {
    return { failed: fileFailure(shown, error) };
  }
}
