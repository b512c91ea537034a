// Files that the user named as context for the whole project: nothing is discovered, and one byte budget covers all.

import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import { utf8Length } from '../platform/text.ts';
import { isMissing, nodeTextFiles, readFailure, type TextFiles, UnreadableFile } from '../platform/textFiles.ts';
import { isInside } from '../security/pathPolicy.ts';
import { ByteBudget, resolveBudgets } from './budget.ts';
import type { PromptProblem } from './problem.ts';

export interface ProjectContextQuery {
  /** Absolute path of the project's folder. */
  root: string;
  /** Paths relative to the root, in the order in which they are read. */
  extraFiles: readonly string[];
  /** Takes entries out of `extraFiles`: by whole relative path, file name, or the end of a path. */
  ignoreFiles: readonly string[];
  /** UTF-8 bytes for all files together; absent or 0: the default. */
  maxBytes?: number;
}

interface ProjectContextFile {
  path: string;
  text: string;
}

/** A text that did not fit its budget; sizes in UTF-8 bytes. */
export interface TruncatedSource {
  source: string;
  path: string;
  size: number;
  kept: number;
}

export interface ProjectContextResult {
  files: ProjectContextFile[];
  truncated: TruncatedSource[];
  problems: PromptProblem[];
}

/**
 * Never fails because of a file. Missing files, folders and repeated entries are passed over.
 * Errors: RangeError for a budget that is not a whole number from 0 up.
 */
export async function loadProjectContext(
  query: ProjectContextQuery,
  files: TextFiles = nodeTextFiles,
): Promise<ProjectContextResult> {
  const result: ProjectContextResult = { files: [], truncated: [], problems: [] };
  const budget = new ByteBudget(resolveBudgets({ project_context: query.maxBytes ?? 0 }).project_context);
  for (const entry of entriesOf(query)) {
    const path = join(query.root, entry);
    try {
      const text = await readInside(query.root, path, files);
      const kept = budget.take(text);
      if (kept.truncated) {
        result.truncated.push({ source: 'project_context', path, size: utf8Length(text), kept: utf8Length(kept.text) });
      }
      if (kept.text.trim() !== '') result.files.push({ path, text: kept.text });
    } catch (error) {
      if (isMissing(error)) continue;
      if (error instanceof UnreadableFile && error.why === 'folder') continue;
      result.problems.push({
        path,
        reason: `It ${readFailure(error)}.`,
        advice: 'Name a readable text file inside the project, or take the entry out of the settings.',
      });
    }
  }
  return result;
}

/** Relative paths without duplicates and ignored ones. */
function entriesOf({ root, extraFiles, ignoreFiles }: ProjectContextQuery): string[] {
  const ignored = ignoreFiles.map(clean);
  const entries = new Set(extraFiles.map((entry) => clean(isAbsolute(entry) ? relative(root, entry) : entry)));
  return [...entries].filter((entry) => !ignored.some((each) => entry === each || entry.endsWith(sep + each)));
}

function clean(entry: string): string {
  return normalize(entry).replace(/[\\/]+$/, '');
}

async function readInside(root: string, path: string, files: TextFiles): Promise<string> {
  const real = await files.realPath(path);
  if (!isInside(real, await files.realPath(root))) throw new UnreadableFile('outside');
  return files.readText(real);
}
