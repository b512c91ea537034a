// R2 (no blank text) and R3 (well-formed Unicode).
import { stringsOf } from './json.ts';
import { type Block, blocksOf, type Prompt } from './prompt.ts';

/**
 * R2. Text inside a tool result counts as well, so that a tool without output has to say so (case A4).
 * What is wrong, or undefined.
 */
export function checkBlankText(prompt: Prompt): string | undefined {
  const isText = (block: Block) => block.kind === 'text' || block.kind === 'result';
  const blank = blocksOf(prompt).find((block) => isText(block) && block.texts.some((text) => text.trim() === ''));
  if (blank) return `${blank.path} is empty or only whitespace`;
  const last = prompt.messages.at(-1);
  const lastText = last?.role === 'assistant' ? last.blocks.at(-1) : undefined;
  if (lastText?.kind === 'text' && /\s$/u.test(lastText.texts[0] ?? ''))
    return `${lastText.path}: the final assistant text must not end in whitespace`;
  return undefined;
}

/** R3 on the parsed body: escaped and raw lone surrogates look the same here. What is wrong, or undefined. */
export function checkUnicode(body: unknown, replacementAllowed: boolean): string | undefined {
  for (const { path, text } of stringsOf(body)) {
    if (!text.isWellFormed()) return `${path} holds a lone surrogate`;
    if (!replacementAllowed && text.includes('\ufffd')) return `${path} holds U+FFFD, which the input did not`;
  }
  return undefined;
}
