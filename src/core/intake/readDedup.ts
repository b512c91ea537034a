// A file part that the conversation holds already is not taken in again: the new result becomes a short note. The
// older copy stays as it is, so that nothing which was sent changes (design invariant 2).
import type { GenerationView } from '../conversation/generation.ts';
import type { Message, ToolCallBlock, ToolDetail, ToolMessage } from '../conversation/message.ts';
import type { Standing } from '../conversation/projectMessage.ts';
import { readNote } from '../conversation/readNote.ts';
import { OpenRound } from '../conversation/rounds.ts';
import { Running } from '../conversation/running.ts';
import type { ToolOutcome } from '../tools/tool.ts';

const READ = 'read';

/** `view`: the active generation; only what stands in it is what the model still sees. */
export function dedupRead(call: ToolCallBlock, outcome: ToolOutcome, view: GenerationView): ToolOutcome {
  const fresh = call.name === READ ? fullCopy(outcome) : undefined;
  if (!fresh) return outcome;
  const earlier = copiesIn.of(view).newest(fresh);
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

/** The reads that the model sees in full. */
class CopiesInView {
  readonly #round = new OpenRound();
  readonly #newest = new Map<string, ToolMessage>();

  add(message: Message, standing: Standing): void {
    this.#round.add(message, standing);
    if (message.role !== 'tool' || message.name !== READ) return;
    // A result whose call is not in view is not sent and does not count. Within a round the order is that of the calls.
    for (const { result } of this.#round.current.calls) {
      const copy = result?.name === READ && result.turn > 0 ? fullCopy(result) : undefined;
      if (result && copy) this.#newest.set(keyOf(copy), result);
    }
  }

  newest(copy: Copy): ToolMessage | undefined {
    return this.#newest.get(keyOf(copy));
  }
}

const copiesIn = new Running(() => new CopiesInView());

function keyOf({ path, fileHash, lines: { start, end, total } }: Copy): string {
  return JSON.stringify([path, fileHash, start, end, total]);
}
