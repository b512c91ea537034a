// AGENTS.md: one global file and one per workspace folder, in full (design section 7).

import { dirname, join, normalize } from 'node:path';
import { isMissing, nodeTextFiles, readFailure, type TextFiles } from '../platform/textFiles.ts';
import { isInside } from '../security/pathPolicy.ts';
import type { PromptProblem } from './problem.ts';

export interface AgentsFilesQuery {
  /** The user's home folder. */
  home: string;
  /** Absolute paths of the workspace folders, in folder order. */
  roots: readonly string[];
  /** In a workspace that is not trusted its own files are not loaded. */
  trusted: boolean;
  /** Paths that the user switched off; `~/` stands for the home folder. */
  disabledFiles: readonly string[];
}

export interface AgentsFile {
  source: 'global_agents_md' | 'project_agents_md';
  path: string;
  text: string;
}

export interface AgentsFilesResult {
  files: AgentsFile[];
  problems: PromptProblem[];
}

const NAME = 'AGENTS.md';
const GLOBAL_FOLDERS = ['.steiner', join('.config', 'steiner')];

/** Never throws because of a file: one that cannot be used is a problem, and the others still load. */
export async function loadAgentsFiles(query: AgentsFilesQuery, files = nodeTextFiles): Promise<AgentsFilesResult> {
  const loading = new Loading(query, files);
  for (const folder of GLOBAL_FOLDERS) {
    // A file that is switched off or unusable still counts as the first that exists.
    if ((await loading.add('global_agents_md', join(query.home, folder, NAME))) !== 'missing') break;
  }
  if (query.trusted) {
    for (const root of query.roots) await loading.add('project_agents_md', join(root, NAME));
  }
  return loading.result;
}

class Loading {
  readonly result: AgentsFilesResult = { files: [], problems: [] };
  readonly #files: TextFiles;
  readonly #roots: readonly string[];
  readonly #disabled: ReadonlySet<string>;
  /** Real paths; two names of one file count once. */
  readonly #seen = new Set<string>();

  constructor({ home, roots, disabledFiles }: AgentsFilesQuery, files: TextFiles) {
    this.#files = files;
    this.#roots = roots;
    this.#disabled = new Set(
      disabledFiles.map((path) => normalize(path.startsWith('~/') ? join(home, path.slice(2)) : path)),
    );
  }

  async add(source: AgentsFile['source'], path: string): Promise<'missing' | 'found'> {
    if (this.#disabled.has(path)) return 'found';
    try {
      const real = await this.#files.realPath(path);
      if (source === 'project_agents_md' && !(await this.#isInWorkspace(real))) {
        this.#refuse(
          path,
          `It is a link to ${real}, outside the workspace.`,
          `Replace the link by a copy, or add the folder ${dirname(real)} to the workspace.`,
        );
        return 'found';
      }
      if (this.#seen.has(real)) return 'found';
      this.#seen.add(real);
      const text = await this.#files.readText(real);
      if (text.trim() !== '') this.result.files.push({ source, path, text });
    } catch (error) {
      if (isMissing(error)) return 'missing';
      this.#refuse(
        path,
        `It ${readFailure(error)}.`,
        'Make it a readable UTF-8 text file, or switch it off in the settings.',
      );
    }
    return 'found';
  }

  async #isInWorkspace(real: string): Promise<boolean> {
    for (const root of this.#roots) {
      // A root that is itself reached by a link is the workspace all the same (case A25).
      const realRoot = await this.#files.realPath(root).catch(() => root);
      if (isInside(real, realRoot)) return true;
    }
    return false;
  }

  #refuse(path: string, reason: string, advice: string): void {
    this.result.problems.push({ path, reason, advice });
  }
}
