// Exact replacement in a text whose line endings may differ from the ones the model writes (case A18).

/** Lines named when a text is ambiguous. */
const MAX_LINES_NAMED = 10;
/** The line feed of a `\r\n` is no line break by itself, so that no edit splits the pair. */
const LINE_BREAK = '(?:\\r\\n|(?<!\\r)\\n)';

export type Replacement = { text: string; count: number } | { problem: string };

/** Line breaks of `search` match `\n` and `\r\n`; what is inserted gets the line ending of the place it goes to. */
export function replaceText(text: string, search: string, insert: string, all: boolean): Replacement {
  const pattern = new RegExp(patternOf(search), 'g');
  const matches = [...text.matchAll(pattern)];
  const [first] = matches;
  if (!first) return { problem: `old_text was not found. ${hintFor(text, search)}` };
  const places = matches.length > 1 ? matches : [first, ...overlapping(text, pattern, first.index)];
  if (places.length > 1 && !all) {
    const lines = places.slice(0, MAX_LINES_NAMED).map(({ index }) => lineAt(text, index));
    const where = `lines ${lines.join(', ')}${places.length > lines.length ? ', …' : ''}`;
    return {
      problem: `old_text stands in ${places.length} places (${where}). Add neighbouring lines to make it unique, or set replace_all.`,
    };
  }
  let done = 0;
  let result = '';
  for (const match of matches) {
    result += text.slice(done, match.index) + withEnding(insert, endingNear(text, match.index, match[0]));
    done = match.index + match[0].length;
  }
  result += text.slice(done);
  if (result === text) return { problem: 'old_text and new_text are the same; there is nothing to change.' };
  return { text: result, count: matches.length };
}

/** A lone carriage return in the search text is meant as it is; only line breaks are flexible. */
function patternOf(search: string): string {
  return search
    .split(/\r?\n/)
    .map((line) => line.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join(LINE_BREAK);
}

/** A second place that shares text with the first one, as two lines `}` within three: it is as ambiguous as any. */
function overlapping(text: string, pattern: RegExp, first: number): RegExpExecArray[] {
  pattern.lastIndex = first + 1;
  const second = pattern.exec(text);
  return second ? [second] : [];
}

/** The ending inside the replaced text, else the one of its own line, else the one before it. */
function endingNear(text: string, index: number, matched: string): '\n' | '\r\n' {
  const inside = /\r?\n/.exec(matched)?.[0];
  if (inside) return inside === '\r\n' ? '\r\n' : '\n';
  const next = text.indexOf('\n', index + matched.length);
  if (next >= 0) return text[next - 1] === '\r' ? '\r\n' : '\n';
  const previous = text.lastIndexOf('\n', index);
  return previous > 0 && text[previous - 1] === '\r' ? '\r\n' : '\n';
}

function withEnding(insert: string, ending: '\n' | '\r\n'): string {
  return insert.replace(/\r?\n/g, () => ending);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function hintFor(text: string, search: string): string {
  const trimmed = search.trim();
  if (trimmed !== '' && new RegExp(patternOf(trimmed)).test(text)) {
    return 'It is there with other white space around it: read the place again and copy it exactly.';
  }
  const loose = (each: string) => each.replace(/\s+/g, ' ').trim();
  if (loose(text).includes(loose(search)))
    return 'It is there with other indentation: read the place again and copy it exactly.';
  return 'The file may have changed: read it again.';
}
