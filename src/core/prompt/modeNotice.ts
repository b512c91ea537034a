// The mode in which a user message was sent, said ahead of each of them and stored for good, so that switching the
// mode never touches the cached part of the prompt.
import buildNotice from '../../../templates/modes/build.md';
import planNotice from '../../../templates/modes/plan.md';
import type { Mode, UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';

const NOTICES: Readonly<Record<Mode, string>> = { build: fill(buildNotice), plan: fill(planNotice) };
const SEPARATOR = '\n\n';

export function modeNotice(mode: Mode): UserPart {
  return { kind: 'mode_notice', mode, text: NOTICES[mode] };
}

/** Takes a leading notice off a rendered user message. Only the exact texts count; all else stays as it is. */
export function splitModeNotice(text: string): { mode: Mode | undefined; rest: string } {
  for (const mode of ['build', 'plan'] as const) {
    const notice = NOTICES[mode] + SEPARATOR;
    if (text.startsWith(notice)) return { mode, rest: text.slice(notice.length) };
  }
  return { mode: undefined, rest: text };
}
