// The multi-select quick pick of skills.
import * as vscode from 'vscode';
import type { SkillDiscovery, SkillProblem } from '../../core/skills/discovery.ts';

/** Names that are to be on, in the order in which they were switched on; undefined: the user gave up. */
export async function pickSkills(found: SkillDiscovery, enabled: readonly string[]): Promise<string[] | undefined> {
  const { skills, shadowed, problems } = found;
  if (skills.length === 0) {
    const hint = 'Put a folder with a SKILL.md into .steiner/skills of the workspace or of your home folder.';
    await vscode.window.showInformationMessage(`No skills were found. ${problemLine(problems) ?? hint}`);
    return undefined;
  }
  const items = skills.map((skill) => {
    const hidden = shadowed.filter(({ name }) => name === skill.name).map(({ origin }) => origin);
    return {
      label: skill.name,
      description: hidden.length > 0 ? `${skill.origin} (hides the one in ${hidden.join(', ')})` : skill.origin,
      detail: skill.description,
      picked: enabled.includes(skill.name),
    };
  });
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

function problemLine(problems: readonly SkillProblem[]): string | undefined {
  const [first, ...others] = problems.filter(({ usable }) => !usable);
  if (!first) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more, see the Steiner output)` : '';
  return `Not usable: ${first.file}: ${first.reason}${more}`;
}
