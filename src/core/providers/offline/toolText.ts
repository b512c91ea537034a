// Reads facts out of tool results: what a model does with its eyes.

export interface Hit {
  path: string;
  line: number;
  text: string;
}

export interface NumberedLine {
  line: number;
  text: string;
}

/** Rows `path:line:text`; the drive of a Windows path has a colon too. */
export function hitsIn(content: string): Hit[] {
  return content.split('\n').flatMap((row) => {
    const match = /^((?:[A-Za-z]:)?[^:\n]+):(\d+):(.*)$/.exec(row);
    return match ? [{ path: match[1] ?? '', line: Number(match[2]), text: (match[3] ?? '').trim() }] : [];
  });
}

/** The lines of a read file: number, tab, text. Rows of another form are notes around the text. */
export function linesIn(content: string): NumberedLine[] {
  return content.split('\n').flatMap((row) => {
    const match = /^\s*(\d+)\t(.*)$/.exec(row);
    return match ? [{ line: Number(match[1]), text: match[2] ?? '' }] : [];
  });
}

/** The file goes on behind the page that was read. */
export function hasMorePages(content: string): boolean {
  return /^\[.*Read on with offset \d+/m.test(content.slice(-300));
}

/** One path a row; sizes and kinds stand behind two spaces, notes in brackets. */
export function pathsListed(content: string): string[] {
  return content
    .split('\n')
    .map((row) => row.replace(/\s{2,}.*$/, '').trim())
    .filter((row) => row !== '' && !/^\[.*\s.*\]$/.test(row));
}

/** Only a failed command's result names its exit code. Undefined: it was stopped, or was not run. */
export function exitCodeOf({ content, failed }: { content: string; failed: boolean }): number | undefined {
  if (!failed) return 0;
  const code = [...content.matchAll(/^\[Exit code (-?\d+)\.\]$/gm)].at(-1)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Rows at the top of a file that say what is in it: headings, declarations. */
export function outlineOf(lines: readonly NumberedLine[]): NumberedLine[] {
  return lines.filter(({ text }) =>
    /^(?:#{1,3} |export |(?:async )?function |class |interface |type |def |struct |enum |fn |pub |func |package |module )/.test(
      text,
    ),
  );
}
