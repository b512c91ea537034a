// Finds skills: folders with a SKILL.md below the roots of design section 7. Of skills with one name the first wins.
import { basename, dirname, join } from 'node:path';
import locationTemplate from '../../../templates/skill-delivery/location.md';
import { fill } from '../platform/templates.ts';
import { hasCode, isMissing, nodeTextFiles, readFailure, type TextFiles } from '../platform/textFiles.ts';
import { BUNDLED_SKILLS } from './bundled.ts';
import { readSkillHeader } from './header.ts';

export interface Skill {
  /** The name of the skill's folder. */
  name: string;
  /** One line; may be empty. */
  description: string;
  scope: 'workspace' | 'user' | 'bundled';
  /** Where it was found, to be shown: `.claude/skills`, `~/.agents/skills`, `bundled`. */
  origin: string;
  /** Absolute path of SKILL.md; for bundled skills a name that is no path. */
  file: string;
}

export interface SkillProblem {
  file: string;
  reason: string;
  /** False: there is no such skill. True: it works in spite of the fault. */
  usable: boolean;
}

export interface SkillDiscovery {
  /** Sorted by name. */
  skills: Skill[];
  /** Skills hidden by one of the same name that came first, to be shown beside it. */
  shadowed: Skill[];
  problems: SkillProblem[];
}

export interface SkillQuery {
  /** The user's home folder. */
  home: string;
  /** Absolute paths of the workspace folders, in folder order. */
  roots: readonly string[];
  /** In a workspace that is not trusted its own skills are not looked at. */
  trusted: boolean;
}

const WORKSPACE_FOLDERS = ['.steiner/skills', '.agents/skills', '.claude/skills', '.github/skills'];
const USER_FOLDERS = ['.steiner/skills', '.agents/skills', '.claude/skills'];

/** Never throws because of a file. */
export async function discoverSkills(query: SkillQuery, files: TextFiles = nodeTextFiles): Promise<SkillDiscovery> {
  const found: Skill[] = [];
  const problems: SkillProblem[] = [];
  for (const root of skillRoots(query)) {
    const inRoot = await skillsIn(root, files);
    found.push(...inRoot.skills);
    problems.push(...inRoot.problems);
  }
  for (const [name, text] of BUNDLED_SKILLS) {
    const result = readSkillHeader(text);
    const description = 'header' in result ? result.header.description : '';
    found.push({ name, description, scope: 'bundled', origin: 'bundled', file: `bundled/${name}/SKILL.md` });
  }
  const first = new Map<string, Skill>();
  for (const skill of found) if (!first.has(skill.name)) first.set(skill.name, skill);
  const skills = [...first.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills, shadowed: found.filter((skill) => first.get(skill.name) !== skill), problems };
}

/** Reads a skill's whole text, header included, as it is on disk now. Errors: a name that is not among `skills`. */
export function skillLoader(
  skills: readonly Skill[],
  files: TextFiles = nodeTextFiles,
): (name: string) => Promise<string> {
  return async (name) => {
    const skill = skills.find((each) => each.name === name);
    if (!skill) throw new Error('no skill of this name was found');
    if (skill.scope === 'bundled') return BUNDLED_SKILLS.get(name) ?? '';
    try {
      return fill(locationTemplate, { folder: dirname(skill.file), text: await files.readText(skill.file) });
    } catch (error) {
      throw new Error(`${skill.file} ${isMissing(error) ? 'is gone' : readFailure(error)}`);
    }
  };
}

type SkillRoot = Pick<Skill, 'scope' | 'origin'> & { path: string };

function skillRoots({ home, roots, trusted }: SkillQuery): SkillRoot[] {
  const ofWorkspace = (trusted ? roots : []).flatMap((root) =>
    WORKSPACE_FOLDERS.map((folder): SkillRoot => {
      const origin = roots.length > 1 ? `${basename(root)}/${folder}` : folder;
      return { path: join(root, folder), scope: 'workspace', origin };
    }),
  );
  const ofUser = USER_FOLDERS.map((folder): SkillRoot => {
    return { path: join(home, folder), scope: 'user', origin: `~/${folder}` };
  });
  const all = [...ofWorkspace, ...ofUser];
  // The home folder may itself be a workspace folder.
  return all.filter((root, index) => all.findIndex(({ path }) => path === root.path) === index);
}

async function skillsIn(root: SkillRoot, files: TextFiles): Promise<{ skills: Skill[]; problems: SkillProblem[] }> {
  const skills: Skill[] = [];
  const problems: SkillProblem[] = [];
  let names: string[] = [];
  try {
    names = await files.list(root.path);
  } catch (error) {
    if (!isMissing(error)) problems.push({ file: root.path, reason: readFailure(error), usable: false });
  }
  for (const name of names.filter((each) => !each.startsWith('.')).sort()) {
    const file = join(root.path, name, 'SKILL.md');
    try {
      const result = readSkillHeader(await files.readText(file));
      if ('error' in result) {
        problems.push({ file, reason: result.error, usable: false });
        continue;
      }
      const { description, name: declared } = result.header;
      skills.push({ name, description, scope: root.scope, origin: root.origin, file });
      const reasons = [...result.remarks, ...nameRemarks(name, declared)];
      problems.push(...reasons.map((reason) => ({ file, reason, usable: true })));
    } catch (error) {
      // A plain file beside the skill folders, such as a README, is nobody's mistake.
      if (hasCode(error, 'ENOTDIR')) continue;
      const reason = hasCode(error, 'ENOENT') ? 'is missing from its folder' : readFailure(error);
      problems.push({ file, reason, usable: false });
    }
  }
  return { skills, problems };
}

function nameRemarks(folder: string, declared: string | undefined): string[] {
  if (declared === folder) return [];
  if (declared === undefined) return [`has no name in its header; it goes by its folder's name, ${folder}`];
  return [`names itself ${declared} in its header; it goes by its folder's name, ${folder}`];
}
