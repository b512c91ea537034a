// The environment that commands get: the user's own, without the keys that are this extension's business (case A27).

/** Keys of our providers and whatever carries one; a base URL or a model name stays. */
const OURS = /^(ANTHROPIC|OPENAI|STEINER)_.*(KEY|TOKEN|SECRET|HEADERS)/i;

export function withoutOwnKeys(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !OURS.test(name)) kept[name] = value;
  }
  return kept;
}
