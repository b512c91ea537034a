// Parts of user messages as the model reads them, one text block each, so that the user's own words never share a
// block with ours.
import { wellFormed } from '../platform/text.ts';
import type { UserPart } from './message.ts';
import type { RequestUserBlock } from './request.ts';
import { renderEnvelope } from './skillEnvelope.ts';

/** The order of design section 5; notes stand between what we deliver and the user's words. */
const RANK: Record<UserPart['kind'], number> = {
  mode_notice: 0,
  skill_deactivation: 1,
  skill_activation: 2,
  pending_line: 3,
  sub_agent_result: 4,
  ledger: 5,
  earlier_messages: 6,
  file_texts: 7,
  note: 8,
  text: 9,
};

export function inDeliveryOrder(parts: readonly UserPart[]): UserPart[] {
  return parts.toSorted((a, b) => RANK[a.kind] - RANK[b.kind] || sequence(a) - sequence(b));
}

export function isSkillPart(part: UserPart): boolean {
  return part.kind === 'skill_activation' || part.kind === 'skill_deactivation';
}

/** Blank parts are left out (rule R2). */
export function renderParts(parts: readonly UserPart[]): RequestUserBlock[] {
  return parts.flatMap((part) => {
    const text = wellFormed(partText(part));
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
}

function partText(part: UserPart): string {
  switch (part.kind) {
    case 'skill_activation':
      return renderEnvelope({ name: part.name, state: 'active', body: part.body });
    case 'skill_deactivation':
      return renderEnvelope({ name: part.name, state: 'inactive', body: part.body });
    default:
      return part.text;
  }
}

function sequence(part: UserPart): number {
  return part.kind === 'sub_agent_result' ? part.sequence : 0;
}
