// Edits that the user spelled out: the file is read first, and only lines that were really read are replaced.
import type { Intent } from './intent.ts';
import { answer, call, failed, locate, type Move } from './moves.ts';
import { block, code } from './quoting.ts';
import { say } from './say.ts';
import type { Situation, Step } from './situation.ts';
import { linesIn, type NumberedLine } from './toolText.ts';

type Change = Extract<Intent, { kind: 'replace' | 'replace_line' }>;

const MAX_EDITS = 20;

export function changeFile(intent: Change, { steps, planMode }: Situation): Move {
  if (planMode) return answer(say.planOnly({ action: `edit ${code(intent.path)}` }));
  const edits = steps.filter(({ name }) => name === 'edit');
  if (edits.length > 0) return answer(report(intent, edits));
  const range = intent.kind === 'replace_line' ? { offset: Math.max(1, intent.line - 3), limit: 7 } : {};
  const last = steps.at(-1);
  if (!last) return call('read', { path: intent.path, ...range });
  if (last.name !== 'read' || last.failed)
    return locate(intent.path, steps, (path) => call('read', { path, ...range }));
  const path = String(last.input.path ?? intent.path);
  const lines = linesIn(last.content);
  const replacements = intent.kind === 'replace' ? replaceText(lines, intent) : replaceLine(lines, intent);
  if (replacements.length === 0) return answer(say.noMatch({ path: code(path), what: wanted(intent) }));
  return {
    text: '',
    calls: replacements.slice(0, MAX_EDITS).map((replacement) => ({ name: 'edit', input: { path, ...replacement } })),
  };
}

interface Replacement {
  old_text: string;
  new_text: string;
}

function replaceText(
  lines: readonly NumberedLine[],
  { from, to }: Extract<Change, { kind: 'replace' }>,
): Replacement[] {
  const replacements: Replacement[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (!lines[index]?.text.includes(from)) continue;
    const { start, end } = uniqueSpan(lines, index);
    const old_text = joined(lines, start, end);
    replacements.push({ old_text, new_text: old_text.replaceAll(from, () => to) });
    index = end;
  }
  return replacements;
}

function replaceLine(lines: readonly NumberedLine[], intent: Extract<Change, { kind: 'replace_line' }>): Replacement[] {
  const index = lines.findIndex(({ line }) => line === intent.line);
  const old = lines[index]?.text;
  if (old === undefined) return [];
  const indent = /^\s*/.exec(old)?.[0] ?? '';
  const written = /^\s/.test(intent.text) ? intent.text : indent + intent.text;
  const { start, end } = uniqueSpan(lines, index);
  const before = joined(lines, start, index - 1);
  const after = joined(lines, index + 1, end);
  const around = (line: string) =>
    [...(index > start ? [before] : []), line, ...(end > index ? [after] : [])].join('\n');
  return [{ old_text: around(old), new_text: around(written) }];
}

/** The fewest lines around the index that stand only once in what was read: an edit has to be unambiguous. */
function uniqueSpan(lines: readonly NumberedLine[], index: number): { start: number; end: number } {
  const text = lines.map((line) => line.text).join('\n');
  let start = index;
  let end = index;
  while (occurrences(text, joined(lines, start, end)) > 1 && (start > 0 || end < lines.length - 1)) {
    if (end < lines.length - 1) end += 1;
    else start -= 1;
  }
  return { start, end };
}

function joined(lines: readonly NumberedLine[], start: number, end: number): string {
  return lines
    .slice(start, end + 1)
    .map(({ text }) => text)
    .join('\n');
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function report(intent: Change, edits: readonly Step[]): string {
  const failure = edits.find((edit) => edit.failed);
  if (failure) return failed(failure).text;
  const path = String(edits[0]?.input.path ?? intent.path);
  return say.edited({
    path: code(path),
    what: wanted(intent),
    count: edits.length === 1 ? 'one place' : `${edits.length} places`,
    result: block(edits.map(({ content }) => content.trim()).join('\n'), 12),
  });
}

function wanted(intent: Change): string {
  return intent.kind === 'replace'
    ? `${code(intent.from)} by ${code(intent.to)}`
    : `line ${intent.line} by ${code(intent.text)}`;
}
