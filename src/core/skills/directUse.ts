/**
 * A message that begins with `/name` of a skill uses that skill for this one message. Anything else, an unknown `/name`
 * above all, is plain text. Of two names that fit, the longer one counts: folder names may hold spaces.
 */
export function directUse(text: string, names: readonly string[]): { skill: string | undefined; text: string } {
  const trimmed = text.trimStart();
  const skill = names
    .filter((name) => trimmed.startsWith(`/${name}`) && /^(?:\s|$)/.test(trimmed.slice(name.length + 1)))
    .sort((a, b) => b.length - a.length)[0];
  if (skill === undefined) return { skill, text };
  // With nothing after the name the command itself is what the user said.
  return { skill, text: trimmed.slice(skill.length + 1).trim() || trimmed.trimEnd() };
}
