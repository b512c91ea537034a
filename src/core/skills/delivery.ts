// How skills reach the model: switched on or off ahead of the user's next message, never by rewriting what was sent.

import activeTemplate from '../../../templates/skill-delivery/active.md';
import inactiveTemplate from '../../../templates/skill-delivery/inactive.md';
import type { UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { utf8Length, wellFormed } from '../platform/text.ts';
import { DEFAULT_BUDGETS } from '../prompt/budget.ts';
import { capSkillText } from './cap.ts';

interface EffectiveSkill {
  name: string;
  /** The delivered text, as it stands in the part that switched the skill on. */
  body: string;
}

interface SkillDelta {
  /** Deactivations first, then activations. */
  parts: UserPart[];
  /** Skills cut at the cap, with their original size in UTF-8 bytes. */
  truncated: { name: string; size: number }[];
  /** Skills that could not be loaded; they stay undelivered, so the next delta tries them again. */
  problems: { name: string; reason: string }[];
}

/** The skills in force after `parts`: an activation replaces and moves to the end, a deactivation removes. */
export function effectiveSkills(parts: readonly UserPart[]): EffectiveSkill[] {
  const skills = new Map<string, string>();
  for (const part of parts) {
    if (part.kind !== 'skill_activation' && part.kind !== 'skill_deactivation') continue;
    skills.delete(part.name);
    if (part.kind === 'skill_activation') skills.set(part.name, part.body);
  }
  return [...skills].map(([name, body]) => ({ name, body }));
}

/**
 * The parts that take the model from `effective` to `enabled`. The comparison is by name: a skill whose file changed
 * while it is on is delivered anew only after it was switched off.
 * @param cap UTF-8 bytes of a skill's own text that reach the model
 */
export async function skillDelta(
  effective: readonly EffectiveSkill[],
  enabled: readonly string[],
  load: (name: string) => Promise<string>,
  cap: number = DEFAULT_BUDGETS.skill,
): Promise<SkillDelta> {
  const delta: SkillDelta = { parts: [], truncated: [], problems: [] };
  const wanted = new Set(enabled);
  const present = new Set(effective.map(({ name }) => name));
  for (const name of present) {
    if (!wanted.has(name)) delta.parts.push({ kind: 'skill_deactivation', name, body: framed(inactiveTemplate, name) });
  }
  for (const name of wanted) {
    if (present.has(name)) continue;
    let text: string;
    try {
      text = wellFormed(await load(name));
    } catch (error) {
      delta.problems.push({ name, reason: error instanceof Error ? error.message : String(error) });
      continue;
    }
    const capped = capSkillText(text, cap);
    if (capped.truncated) delta.truncated.push({ name, size: utf8Length(text) });
    delta.parts.push({ kind: 'skill_activation', name, body: framed(activeTemplate, name, { text: capped.text }) });
  }
  return delta;
}

/** The name goes in as a JSON string: a folder name may hold line breaks. */
function framed(template: string, name: string, values: Record<string, string> = {}): string {
  return fill(template, { name: JSON.stringify(wellFormed(name)), ...values });
}
