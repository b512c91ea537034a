// The multi-select quick pick of skills.
import * as vscode from 'vscode';
import type { Skill, SkillProblem } from '../../core/skills/discovery.ts';

/** Names that are to be on, in the order in which they were switched on; undefined: the user gave up. */
export async function pickSkills(
  skills: readonly Skill[],
  problems: readonly SkillProblem[],
  enabled: readonly string[],
): Promise<string[] | undefined> {
  if (skills.length === 0) {
    await explainNoSkills(problems);
    return undefined;
  }
  const items = skills.map((skill) => ({
    label: skill.name,
    description: skill.origin,
    detail: skill.description,
    picked: enabled.includes(skill.name),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Toggle Skills',
    placeHolder: problemLine(problems) ?? 'Skills that are on reach the model with your next message.',
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  const chosen = picked.map((item) => item.label);
  return [...enabled.filter((name) => chosen.includes(name)), ...chosen.filter((name) => !enabled.includes(name))];
}

async function explainNoSkills(problems: readonly SkillProblem[]): Promise<void> {
  const detail =
    problemLine(problems) ??
    'Put a folder with a SKILL.md into .steiner/skills of the workspace or of your home folder.';
  await vscode.window.showInformationMessage(`No skills were found. ${detail}`);
}

function problemLine(problems: readonly SkillProblem[]): string | undefined {
  const [first] = problems;
  if (!first) return undefined;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see the Steiner output)` : '';
  return `Not usable: ${first.file}: ${first.reason}${more}`;
}
