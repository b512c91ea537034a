// Edits that the user spelled out: the file is read first, and only lines that were really read are replaced.
import type { Intent } from './intent.ts';
import { answer, call, failed, locate, type Move } from './moves.ts';
import { block, code } from './quoting.ts';
import { say } from './say.ts';
import type { Situation, Step } from './situation.ts';
import { hasMorePages, linesIn, type NumberedLine } from './toolText.ts';

type Change = Extract<Intent, { kind: 'replace' | 'replace_line' }>;

/** Lines before and after a named one. */
const AROUND = 3;

export function changeFile(intent: Change, { steps, planMode }: Situation): Move {
  if (planMode) return answer(say.planOnly({ action: `edit ${code(intent.path)}` }));
  const reading = steps.findLast(({ name, failed: hasFailed }) => name === 'read' && !hasFailed);
  const range =
    intent.kind === 'replace_line' ? { offset: Math.max(1, intent.line - AROUND), limit: 2 * AROUND + 1 } : {};
  if (!reading) {
    if (steps.length === 0) return call('read', { path: intent.path, ...range });
    return locate(intent.path, steps, (path) => call('read', { path, ...range }));
  }
  const path = String(reading.input.path ?? intent.path);
  const made = steps.filter(({ name }) => name === 'edit');
  const last = made.at(-1);
  if (last && !(made.length === 1 && isAmbiguous(last))) return answer(report(intent, last));
  const edit =
    intent.kind === 'replace'
      ? replaceText(reading.content, intent)
      : replaceLine(reading.content, intent, last !== undefined);
  return edit ? call('edit', { path, ...edit }) : answer(say.noMatch({ path: code(path), what: wanted(intent) }));
}

/** The text stands elsewhere in the file too. */
function isAmbiguous({ failed: hasFailed, content }: Step): boolean {
  return hasFailed && /\bstands in \d+ places\b/.test(content);
}

interface Edit {
  old_text: string;
  new_text: string;
  replace_all?: true;
}

/** Undefined: the whole file was read, and the text is not in it. */
function replaceText(content: string, { from, to }: Extract<Change, { kind: 'replace' }>): Edit | undefined {
  const text = joined(linesIn(content));
  const edit = (old_text: string, new_text: string): Edit => ({ old_text, new_text, replace_all: true });
  if (text.includes(from)) return edit(from, to);
  // Who says trail means the Trail of a heading too, and wants its replacement written the same way.
  const otherCase = withOtherInitial(from);
  if (otherCase !== from && text.includes(otherCase)) return edit(otherCase, initialLike(otherCase, to));
  return hasMorePages(content) ? edit(from, to) : undefined;
}

function withOtherInitial(text: string): string {
  return text.replace(/^\p{L}/u, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function initialLike(model: string, text: string): string {
  const isUpper = /^\p{Lu}/u.test(model);
  return text.replace(/^\p{L}/u, (letter) => (isUpper ? letter.toUpperCase() : letter.toLowerCase()));
}

/** The line alone where that is enough; with the lines around it where the line stands in several places. */
function replaceLine(
  content: string,
  intent: Extract<Change, { kind: 'replace_line' }>,
  withNeighbours: boolean,
): Edit | undefined {
  const lines = linesIn(content);
  const old = lines.find(({ line }) => line === intent.line);
  if (!old) return undefined;
  const indent = /^\s*/.exec(old.text)?.[0] ?? '';
  const written = /^\s/.test(intent.text) ? intent.text : indent + intent.text;
  if (!withNeighbours && old.text.trim() !== '') return { old_text: old.text, new_text: written };
  const changed = lines.map((each) => (each === old ? { ...each, text: written } : each));
  return { old_text: joined(lines), new_text: joined(changed) };
}

function joined(lines: readonly NumberedLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function report(intent: Change, edit: Step): string {
  if (edit.failed) return failed(edit).text;
  return say.edited({
    path: code(String(edit.input.path ?? intent.path)),
    what: intent.kind === 'replace' ? swap(edit.input.old_text, edit.input.new_text) : wanted(intent),
    result: block(edit.content, 12),
  });
}

function wanted(intent: Change): string {
  return intent.kind === 'replace' ? swap(intent.from, intent.to) : `line ${intent.line} by ${code(intent.text)}`;
}

function swap(from: unknown, to: unknown): string {
  return `${code(String(from))} by ${code(String(to))}`;
}
