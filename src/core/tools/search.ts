// Finding files and lines: ripgrep where there is one, else plain Node with the same rules and limits.
import { sep } from 'node:path';
import picomatch from 'picomatch';
import { looksSecret } from '../security/secretFiles.ts';
import { filesByNode, linesByNode } from './nodeSearch.ts';
import { shownPath } from './resolvePath.ts';
import { filesByRipgrep, linesByRipgrep } from './ripgrep.ts';
import type { Found, LineMatch, LineQuery } from './searchResult.ts';
import type { ToolContext } from './tool.ts';

/** Absolute paths, sorted. `folder` is absolute. Errors: when the search cannot run. */
export async function findFiles(folder: string, pattern: string, context: ToolContext): Promise<Found<string>> {
  const search = context.ripgrepPath === undefined ? filesByNode : filesByRipgrep;
  const { items, notes } = await search(folder, context);
  return { items: items.filter(globMatcher(folder, pattern)).sort(), notes };
}

/** Sorted by path. Errors: a pattern that is no regular expression, with the reason; when the search cannot run. */
export async function findLines(query: LineQuery, context: ToolContext): Promise<Found<LineMatch>> {
  const { where, glob } = query;
  const inGlob = where.kind === 'folder' && glob !== undefined ? globMatcher(where.path, glob) : () => true;
  const search = context.ripgrepPath === undefined ? linesByNode : linesByRipgrep;
  const { items, notes } = await search(query, inGlob, context);
  // A search must not show what a read would ask for; a file that was named has been asked for.
  const isHidden = ({ path }: LineMatch) => where.kind === 'folder' && looksSecret(path);
  const hidden = new Set(items.filter(isHidden).map(({ path }) => path));
  if (hidden.size > 0) {
    const names = [...hidden].map((path) => shownPath(path, context.files.roots));
    notes.push(`[Left out as they may hold secrets: ${names.join(', ')}. Give such a file as path to ask for it.]`);
  }
  return {
    items: items
      .filter((item) => !hidden.has(item.path))
      .sort((a, b) => comparePaths(a.path, b.path) || a.line - b.line),
    notes,
  };
}

/** A pattern without a slash matches names in every folder; a name that looks like a pattern matches itself. */
function globMatcher(folder: string, pattern: string): (path: string) => boolean {
  const posixFolder = `${withSlashes(folder).replace(/\/$/, '')}/`;
  const below = pattern.startsWith(posixFolder) ? pattern.slice(posixFolder.length) : pattern.replace(/^\.?\//, '');
  // Such as `./`, which picomatch refuses.
  if (below === '') return () => false;
  const matches = picomatch(pattern.includes('/') ? below : `**/${below}`, { dot: true });
  return (path) => {
    const relative = withSlashes(path).slice(posixFolder.length);
    return matches(relative) || relative === below || (!pattern.includes('/') && relative.endsWith(`/${below}`));
  };
}

/** Elsewhere than on Windows a backslash is part of a name. */
function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
