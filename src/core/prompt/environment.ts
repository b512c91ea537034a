// Where the agent works. Captured at session start and frozen per generation (design section 11).
import { release, type } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import template from '../../../templates/environment.md';
import { fill } from '../platform/templates.ts';
import { hasCode, isMissing, nodeTextFiles, type TextFiles } from '../platform/textFiles.ts';

export interface EnvironmentFacts {
  /** Absolute path in which commands run; undefined: no folder is open. */
  cwd: string | undefined;
  /** Absolute paths of the workspace folders. */
  roots: readonly string[];
  os: string;
  shell: string;
  /** Undefined: no repository, or no branch checked out. */
  gitBranch: string | undefined;
}

export async function readEnvironment(
  roots: readonly string[],
  host: { os: string; shell: string } = { os: `${type()} ${release()}`, shell: defaultShell() },
  files: TextFiles = nodeTextFiles,
): Promise<EnvironmentFacts> {
  const [cwd] = roots;
  return { cwd, roots, ...host, gitBranch: cwd === undefined ? undefined : await readGitBranch(cwd, files) };
}

export function renderEnvironment({ cwd, roots, os, shell, gitBranch }: EnvironmentFacts): string {
  return fill(template, {
    cwd: cwd ?? 'no folder is open',
    roots: roots.length > 1 ? roots.join(', ') : (roots[0] ?? 'none'),
    os,
    shell,
    branch: gitBranch ?? 'none',
  });
}

/** Looks for the repository from `folder` upwards; worktrees and submodules included. */
async function readGitBranch(folder: string, files: TextFiles): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const head = await readHead(join(at, '.git'), files);
    // Git allows no white space in a ref's name; anything else is not a branch and does not belong in the prompt.
    if (head !== undefined) return /^ref: refs\/heads\/(\S{1,200})\s*$/.exec(head)?.[1];
    if (dirname(at) === at) return undefined;
  }
}

async function readHead(dotGit: string, files: TextFiles): Promise<string | undefined> {
  try {
    return await files.readText(join(dotGit, 'HEAD'));
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR')) return isMissing(error) ? undefined : '';
  }
  // A worktree's .git is a file that names the real folder.
  try {
    const target = /^gitdir: (.+?)\s*$/.exec(await files.readText(dotGit))?.[1];
    if (target === undefined) return '';
    return await files.readText(join(isAbsolute(target) ? target : resolve(dirname(dotGit), target), 'HEAD'));
  } catch {
    return '';
  }
}

function defaultShell(): string {
  return basename(process.env.SHELL ?? process.env.ComSpec ?? 'sh');
}
