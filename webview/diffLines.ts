// A unified diff, line by line, with what each line is.

export type DiffLineKind = 'added' | 'removed' | 'hunk' | 'header' | 'context';

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
}

export interface ParsedDiff {
  lines: DiffLine[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Counts each hunk's lines, so that a removed line of `-- x` is not taken for a file header. */
export function parseDiff(diff: string): ParsedDiff {
  const lines: DiffLine[] = [];
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(text);
    if (oldLeft <= 0 && newLeft <= 0 && hunk) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[2] ?? 1);
      lines.push({ kind: 'hunk', text });
    } else if (oldLeft <= 0 && newLeft <= 0) {
      lines.push({ kind: 'header', text });
    } else if (text.startsWith('+')) {
      newLeft -= 1;
      lines.push({ kind: 'added', text });
    } else if (text.startsWith('-')) {
      oldLeft -= 1;
      lines.push({ kind: 'removed', text });
    } else {
      // `\ No newline at end of file` belongs to neither side.
      if (!text.startsWith('\\')) {
        oldLeft -= 1;
        newLeft -= 1;
      }
      lines.push({ kind: 'context', text });
    }
  }
  const count = (kind: DiffLineKind) => lines.filter((line) => line.kind === kind).length;
  return { lines, added: count('added'), removed: count('removed') };
}
