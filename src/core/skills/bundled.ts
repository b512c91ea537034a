// Skills that ship with the extension. They have no folder on disk.
import commitMessage from '../../../templates/skills/commit-message/SKILL.md';
import review from '../../../templates/skills/review/SKILL.md';

/** The SKILL.md texts by skill name. */
export const BUNDLED_SKILLS: ReadonlyMap<string, string> = new Map([
  ['commit-message', commitMessage],
  ['review', review],
]);
