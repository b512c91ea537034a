// What changed since the prompt's head was made, told in the next user message instead of rewriting what was sent.
// Environment and project context stay as they were until the next generation with a new head.
import addedTemplate from '../../../templates/prompt-notes/agents-file-added.md';
import changedTemplate from '../../../templates/prompt-notes/agents-file-changed.md';
import removedTemplate from '../../../templates/prompt-notes/agents-file-removed.md';
import newDateTemplate from '../../../templates/prompt-notes/new-date.md';
import skillsChangedTemplate from '../../../templates/prompt-notes/skills-changed.md';
import skillsGoneTemplate from '../../../templates/prompt-notes/skills-gone.md';
import type { GenerationHead } from '../conversation/generation.ts';
import type { NoteSubject, UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { type BuiltHead, sourceKey } from './head.ts';
import { dateOf } from './sessionDate.ts';

const GONE = '';
const AGENTS_KEY = /^(?:global|project)_agents_md:(.*)$/s;

/**
 * The notes that bring the model from what it knows to `fresh`; none when nothing changed.
 * @param active the head that the requests of this generation carry
 * @param parts all parts the model has seen in this generation; notes among them are folded in order
 * @param fresh a head built now, with today's date
 */
export function changeNotes(active: GenerationHead, parts: readonly UserPart[], fresh: BuiltHead): UserPart[] {
  const known = new Map(Object.entries(active.sourceHashes));
  for (const part of parts) {
    if (part.kind !== 'note') continue;
    for (const [key, hash] of Object.entries(part.announces ?? {})) known.set(key, hash);
  }
  const change = (key: string) => changeOf(known.get(key), fresh.head.sourceHashes[key]);
  return [...dateNotes(change, fresh.head), ...agentsNotes(known, change, fresh), ...skillsNotes(change, fresh.head)];
}

type Change = { kind: 'added' | 'changed' | 'removed'; hash: string } | undefined;

function changeOf(before = GONE, after = GONE): Change {
  if (before === after) return undefined;
  if (before === GONE) return { kind: 'added', hash: after };
  return { kind: after === GONE ? 'removed' : 'changed', hash: after };
}

function dateNotes(change: (key: string) => Change, fresh: GenerationHead): UserPart[] {
  const found = change('session_date');
  if (!found) return [];
  const text = fill(newDateTemplate, { date: dateOf(fresh.sessionDate) });
  return [note('session_date', text, 'session_date', found.hash)];
}

function agentsNotes(
  known: ReadonlyMap<string, string>,
  change: (key: string) => Change,
  fresh: BuiltHead,
): UserPart[] {
  const blocks = new Map(fresh.head.system.map((block) => [sourceKey(block), block.text]));
  const unusable = new Set(fresh.problems.map(({ path }) => path));
  return [...new Set([...blocks.keys(), ...known.keys()])].flatMap((key) => {
    const path = AGENTS_KEY.exec(key)?.[1];
    const found = change(key);
    if (path === undefined || !found) return [];
    // A file that cannot be read just now is not gone; the user is told about it, the model keeps what it has.
    if (found.kind === 'removed' && unusable.has(path)) return [];
    return [note('agents_md', agentsText(found.kind, path, blocks.get(key) ?? ''), key, found.hash)];
  });
}

function agentsText(kind: 'added' | 'changed' | 'removed', path: string, instructions: string): string {
  switch (kind) {
    case 'added':
      return fill(addedTemplate, { instructions });
    case 'changed':
      return fill(changedTemplate, { path, instructions });
    case 'removed':
      return fill(removedTemplate, { path });
  }
}

function skillsNotes(change: (key: string) => Change, fresh: GenerationHead): UserPart[] {
  const found = change('skills_catalogue');
  if (!found) return [];
  const skills = fresh.system.find(({ source }) => source === 'skills_catalogue')?.text;
  const text = skills === undefined ? fill(skillsGoneTemplate) : fill(skillsChangedTemplate, { skills });
  return [note('skills_catalogue', text, 'skills_catalogue', found.hash)];
}

function note(subject: NoteSubject, text: string, key: string, hash: string): UserPart {
  return { kind: 'note', subject, text, announces: { [key]: hash } };
}
