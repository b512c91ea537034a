// The arguments of a tool call in a few words (fact sheet section 12).
import { codePointIndex } from '../platform/text.ts';

/** Arguments worth naming, in this order. */
const NAMES = ['cwd', 'path', 'pattern', 'command', 'offset', 'limit'] as const;
/** Code points. */
const LONGEST_VALUE = 40;
const LONGEST_COMMAND = 80;
/** A command that first goes to its folder: what it does there is what matters. */
const LEADING_CD = /^cd (?:"[^"]*"|'[^']*'|[^\s;&|]+) ?(?:&&|\|\||;) ?/;

export interface SummarizedArgument {
  name: string;
  value: string;
}

/** `roots`: absolute folders whose names are left out of paths and commands. */
export function summarizedArguments(input: unknown, roots: readonly string[] = []): SummarizedArgument[] {
  if (typeof input !== 'object' || input === null) return [];
  const values: Record<string, unknown> = { ...input };
  return NAMES.flatMap((name) => {
    const value = values[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return [{ name, value: summarizedValue(name, String(value), roots) }];
  });
}

function summarizedValue(name: (typeof NAMES)[number], value: string, roots: readonly string[]): string {
  const line = collapsed(value);
  if (name === 'command') return shortened(withoutRoots(line.replace(LEADING_CD, ''), roots), LONGEST_COMMAND);
  return shortened(name === 'cwd' || name === 'path' ? withoutRoots(line, roots) : line, LONGEST_VALUE);
}

/** White space runs become one space. */
function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A root alone becomes `.`; a sibling whose name only begins like the root's stays as it is. */
function withoutRoots(text: string, roots: readonly string[]): string {
  const longestFirst = roots.map((root) => root.replace(/[\\/]+$/, '')).toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, root) => {
    if (root === '') return rest;
    const literal = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest
      .replace(new RegExp(`(?<![^\\s"'=:(])${literal}[\\\\/]+(?=[^\\s"'])`, 'g'), '')
      .replace(new RegExp(`(?<![^\\s"'=:(])${literal}[\\\\/]*(?=$|[\\s"';&|:)])`, 'g'), '.');
  }, text);
}

export function shortened(text: string, longest: number): string {
  const end = codePointIndex(text, longest);
  return end < text.length ? `${text.slice(0, end)}…` : text;
}
