// Prompt texts are Markdown files with named slots, written {{like_this}}.
const SLOT = /\{\{(\w+)\}\}/g;

/**
 * Fills all slots in one pass, so that inserted text is never expanded again. White space at the end of the
 * template is the file's, not the text's, and is dropped.
 * Errors: a slot without a value, or a value without a slot; both mean that code and template went apart.
 */
export function fill(template: string, values: Readonly<Record<string, string>> = {}): string {
  const used = new Set<string>();
  const filled = template.trimEnd().replace(SLOT, (_slot, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`Prompt template: no value for the slot "${name}"`);
    used.add(name);
    return value;
  });
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`Prompt template: no slot for ${unused.join(', ')}`);
  return filled;
}
