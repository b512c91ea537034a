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

/** Lines `path:line: text`, or lines `line: text` below a line that names the path. */
export function hitsIn(content: string): Hit[] {
  const hits: Hit[] = [];
  let path: string | undefined;
  for (const row of content.split('\n')) {
    const full = /^(\S.*?):(\d+)[:-]\s?(.*)$/.exec(row);
    const short = full ? null : /^\s*(\d+)[:|\t]\s?(.*)$/.exec(row);
    if (full) hits.push({ path: full[1] ?? '', line: Number(full[2]), text: (full[3] ?? '').trim() });
    else if (short && path !== undefined) hits.push({ path, line: Number(short[1]), text: (short[2] ?? '').trim() });
    else if (/^\S+$/.test(row)) path = row.replace(/:$/, '');
  }
  return hits;
}

/** The lines of a read file. Rows that carry no number (notes around the text) are left out. */
export function linesIn(content: string): NumberedLine[] {
  return content.split('\n').flatMap((row) => {
    const match = /^\s*(\d+)(?:\t|→|\s?[|:│]\s?)(.*)$/.exec(row);
    return match ? [{ line: Number(match[1]), text: match[2] ?? '' }] : [];
  });
}

/** One path a row; notes are left out. */
export function pathsListed(content: string): string[] {
  return content
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '' && !/^[[(]/.test(row) && !/\s{2}|: |\.$/.test(row));
}

/** Undefined: the result names none. */
export function exitCodeIn(content: string): number | undefined {
  const code = /\bexit(?:ed)?(?:\s+with)?(?:\s+code)?[:\s]+(-?\d+)/i.exec(content)?.[1];
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
