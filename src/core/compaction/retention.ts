// What a stage keeps as it is, and what it summarises (fact sheet sections 6.4 and 9; design section 6).
import { isRealUserMessage, type Message, type UserMessage } from '../conversation/message.ts';
import { chunksOf } from './chunks.ts';
import { keptChunks, type StageName } from './stages.ts';

export interface Retention {
  /** What the summary covers: everything before the tail, in order. */
  source: Message[];
  /** What the new generation keeps: user messages of the active request from the source, then the tail. */
  retained: Message[];
  /** The source without what is kept. */
  dropped: Message[];
}

/** `fits`: whether a generation with these messages alone fits the window. Undefined: even the tail does not. */
export function retain(
  messages: readonly Message[],
  stage: StageName,
  fits: (retained: readonly Message[]) => boolean,
): Retention | undefined {
  const tailLength = chunksOf(messages).slice(-keptChunks(stage)).flat().length;
  const cut = messages.length - tailLength;
  if (!fits(messages.slice(cut))) return undefined;
  const start = stage === 'normal' ? anchored(messages, cut, fits) : cut;
  const [source, tail] = [messages.slice(0, start), messages.slice(start)];
  const inSource = new Set<Message>(source);
  const active = activeRequest(messages).filter((message) => inSource.has(message));
  const kept = [active, active.slice(-1), []].find((choice) => choice.length === 0 || fits([...choice, ...tail])) ?? [];
  const isKept = new Set<Message>(kept);
  return { source, retained: [...kept, ...tail], dropped: source.filter((message) => !isKept.has(message)) };
}

/** Moves the cut back to the latest real user message, as long as that fits and leaves something to summarise. */
function anchored(messages: readonly Message[], cut: number, fits: (tail: readonly Message[]) => boolean): number {
  const anchor = messages.findLastIndex(isRealUserMessage);
  return anchor > 0 && anchor < cut && fits(messages.slice(anchor)) ? anchor : cut;
}

/**
 * The user's words of the latest turn, steers included. They stay real user messages even where the tail does not
 * reach back to them, so that the model cannot take an older request for the active one (case A9).
 */
export function activeRequest(messages: readonly Message[]): UserMessage[] {
  const real = messages.filter(isRealUserMessage);
  const turn = real.at(-1)?.turn;
  return real.filter((message) => message.turn === turn);
}
