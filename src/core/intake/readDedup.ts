// A file part that the conversation holds already is not taken in again: the new result becomes a short note. The
// older copy stays as it is, so that nothing which was sent changes (design invariant 2).
import type { GenerationView } from '../conversation/generation.ts';
import type { ToolCallBlock, ToolDetail, ToolMessage } from '../conversation/message.ts';
import { readNote } from '../conversation/readNote.ts';
import { roundsOf } from '../conversation/rounds.ts';
import type { ToolOutcome } from '../tools/tool.ts';

const READ = 'read';

/** `view`: the active generation; only what stands in it is what the model still sees. */
export function dedupRead(call: ToolCallBlock, outcome: ToolOutcome, view: GenerationView): ToolOutcome {
  const fresh = call.name === READ ? fullCopy(outcome) : undefined;
  if (!fresh) return outcome;
  const earlier = answersOf(view).findLast((message) => {
    const copy = message.name === READ && message.turn > 0 ? fullCopy(message) : undefined;
    return copy && sameCopy(copy, fresh);
  });
  if (!earlier) return outcome;
  const { turn, id } = earlier;
  const content = readNote({ turn, id, lines: fresh.lines, path: fresh.path });
  if (content.length >= outcome.content.length) return outcome;
  return { ...outcome, content, detail: { ...outcome.detail, sameAs: { turn, id } } };
}

type Copy = Required<Pick<ToolDetail, 'path' | 'fileHash' | 'lines'>>;

/** Undefined: the result is not the whole text of known lines of a known file. */
function fullCopy({ status, detail }: Pick<ToolMessage, 'status' | 'detail'>): Copy | undefined {
  if (status !== 'ok' || !detail) return undefined;
  const { path, fileHash, lines, sameAs, savedTo } = detail;
  if (path === undefined || fileHash === undefined || lines === undefined) return undefined;
  return sameAs || savedTo !== undefined || lines.total === 0 ? undefined : { path, fileHash, lines };
}

function sameCopy(a: Copy, b: Copy): boolean {
  return (
    a.path === b.path &&
    a.fileHash === b.fileHash &&
    a.lines.start === b.lines.start &&
    a.lines.end === b.lines.end &&
    a.lines.total === b.lines.total
  );
}

/** Results as they go out, oldest first: one whose call is not in view is not sent either. */
function answersOf(view: GenerationView): ToolMessage[] {
  return roundsOf(view).flatMap(({ calls }) => calls.flatMap(({ result }) => result ?? []));
}
