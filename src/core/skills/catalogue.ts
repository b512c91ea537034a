// The list of skills that the model knows of without having their texts: names and one-line descriptions.
import template from '../../../templates/skills-catalogue.md';
import { fill } from '../platform/templates.ts';
import { clipUtf8, utf8Length } from '../platform/text.ts';
import { nodeTextFiles, type TextFiles } from '../platform/textFiles.ts';
import type { SkillsCatalogueSource } from '../prompt/head.ts';
import { discoverSkills, type Skill, type SkillQuery } from './discovery.ts';

/** Share of the context window for names and descriptions (design section 11). */
const WINDOW_SHARE = 0.01;
/** A low guess, so that the share holds for every script: English has about 4, Chinese about 3. */
const BYTES_PER_TOKEN = 3;
/** A description cut to less than this says nothing. */
const MIN_DESCRIPTION_BYTES = 24;

/** The catalogue as a source of the prompt's head. */
export function catalogueSource(
  query: SkillQuery,
  contextWindow: number,
  files: TextFiles = nodeTextFiles,
): SkillsCatalogueSource {
  return {
    key: [query, contextWindow],
    load: async () => renderCatalogue((await discoverSkills(query, files)).skills, contextWindow),
  };
}

/**
 * Every name stands in it for as long as the names alone fit; descriptions are cut to one common length, longest
 * first, so that none vanishes because of another (case A30). Empty without skills.
 */
export function renderCatalogue(skills: readonly Skill[], contextWindow: number): string {
  if (skills.length === 0) return '';
  const budget = Math.floor(contextWindow * WINDOW_SHARE * BYTES_PER_TOKEN);
  return fill(template, { skills: listWithin(skills, budget) });
}

function listWithin(skills: readonly Skill[], budget: number): string {
  const list = (limit: number) => skills.map((skill) => line(skill, limit)).join('\n');
  const longest = Math.max(...skills.map(({ description }) => utf8Length(description)));
  if (utf8Length(list(longest)) <= budget) return list(longest);
  const limit = largestThat((each) => utf8Length(list(each)) <= budget, longest);
  if (limit >= MIN_DESCRIPTION_BYTES) return list(limit);
  return utf8Length(list(0)) <= budget ? list(0) : namesWithin(skills, budget);
}

function namesWithin(skills: readonly Skill[], budget: number): string {
  const rest = (shown: number) => [
    ...skills.slice(0, shown).map((skill) => line(skill, 0)),
    `- and ${skills.length - shown} more`,
  ];
  const shown = largestThat((each) => utf8Length(rest(each).join('\n')) <= budget, skills.length - 1);
  return rest(shown).join('\n');
}

/** A description longer than `limit` UTF-8 bytes is cut; 0 leaves it out. */
function line({ name, description }: Skill, limit: number): string {
  const title = `- ${name.replace(/\s+/g, ' ')}`;
  if (limit === 0 || description === '') return title;
  return `${title}: ${utf8Length(description) <= limit ? description : `${clipUtf8(description, limit - 3).trimEnd()}…`}`;
}

/** The largest number from 0 to `max` that passes; 0 when none does. */
function largestThat(passes: (value: number) => boolean, max: number): number {
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
