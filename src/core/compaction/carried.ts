// The parts of the one user message that stands before the retained tail.
import type { GenerationView } from '../conversation/generation.ts';
import type { Message, UserPart } from '../conversation/message.ts';
import { effectiveSkills } from '../skills/delivery.ts';

/** What stays in force although the messages that brought it are gone: notes, the mode, active skills. */
export function standingParts(view: GenerationView, retained: readonly Message[]): UserPart[] {
  const all = [...view.generation.carried, ...partsOf([...view.retained, ...view.appended])];
  const kept = partsOf(retained);
  return [...activeSkills(view), ...currentNotes(all, kept), ...currentMode(all, kept)];
}

/** Retained messages lose their skill parts, so the fold covers what the generation itself was given. */
function activeSkills({ generation, appended }: GenerationView): UserPart[] {
  const parts = [...generation.carried, ...partsOf(appended)];
  return effectiveSkills(parts).map(({ name, body }): UserPart => ({ kind: 'skill_activation', name, body }));
}

/** The last note about each thing that changed since the head was rendered, unless it stays where it is. */
function currentNotes(all: readonly UserPart[], kept: readonly UserPart[]): UserPart[] {
  const latest = new Map<string, UserPart>();
  for (const part of all) {
    if (part.kind !== 'note') continue;
    for (const key of Object.keys(part.announces ?? { [part.subject]: '' })) {
      latest.delete(key);
      latest.set(key, part);
    }
  }
  return [...new Set(latest.values())].filter((part) => !kept.includes(part));
}

function currentMode(all: readonly UserPart[], kept: readonly UserPart[]): UserPart[] {
  const isNotice = ({ kind }: UserPart) => kind === 'mode_notice';
  const last = all.findLast(isNotice);
  return last && !kept.some(isNotice) ? [last] : [];
}

function partsOf(messages: readonly Message[]): UserPart[] {
  return messages.flatMap((message) => (message.role === 'user' ? message.parts : []));
}
