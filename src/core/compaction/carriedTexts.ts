// The chosen files' texts as a part of the next generation, within their budget.
import filesTemplate from '../../../templates/compaction/file-texts.md';
import type { UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { wellFormed } from '../platform/text.ts';
import { CARRY } from './carryOver.ts';
import type { TextInUse } from './textsInUse.ts';

export interface TextBudget {
  /** Tokens of all texts together. */
  mostTokens: number;
  countTokens(text: string): number;
}

export interface CarriedTexts {
  parts: UserPart[];
  /** Absolute paths, best first. */
  paths: string[];
}

/** `texts`: best first. A text that is too long is cut after a line; one that cannot be read is passed over. */
export async function carriedTexts(
  texts: readonly TextInUse[],
  readText: (text: TextInUse) => Promise<string | undefined>,
  { mostTokens, countTokens }: TextBudget,
): Promise<CarriedTexts> {
  let room = mostTokens;
  const blocks: string[] = [];
  const paths = new Set<string>();
  for (const text of texts.slice(0, CARRY.texts.mostFiles)) {
    if (room < CARRY.texts.leastTokens) break;
    const current = await readText(text);
    if (current === undefined || current.trim() === '') continue;
    const block = largestBlock(text, wellFormed(current), Math.min(room, CARRY.texts.mostTokensEach), countTokens);
    if (block === undefined) continue;
    room -= countTokens(block);
    blocks.push(block);
    paths.add(text.path);
  }
  if (blocks.length === 0) return { parts: [], paths: [] };
  return {
    parts: [{ kind: 'file_texts', text: fill(filesTemplate, { files: blocks.join('\n\n') }) }],
    paths: [...paths],
  };
}

/** Whole lines from the beginning, as many as fit. Undefined: not even the first one does. */
function largestBlock(
  text: TextInUse,
  current: string,
  mostTokens: number,
  countTokens: TextBudget['countTokens'],
): string | undefined {
  const lines = current.split('\n');
  const blockOf = (count: number) => rendered(text, lines.slice(0, count), count < lines.length);
  let [fitting, tooMany] = [0, lines.length + 1];
  for (let count = lines.length; tooMany - fitting > 1; count = Math.floor((fitting + tooMany) / 2)) {
    if (countTokens(blockOf(count)) <= mostTokens) fitting = count;
    else tooMany = count;
  }
  return fitting === 0 ? undefined : blockOf(fitting);
}

function rendered({ path, lines }: TextInUse, shown: readonly string[], isCut: boolean): string {
  const first = lines?.start ?? 1;
  const isPart = isCut || lines !== undefined;
  const range = isPart ? ` lines="${first}-${first + shown.length - 1}"` : '';
  return `<file-text path=${JSON.stringify(path)}${range}>\n${shown.join('\n')}\n</file-text>`;
}
