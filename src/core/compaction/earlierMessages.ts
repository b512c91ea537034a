// The user's earlier words, word for word, in the generation that no longer holds them as messages (case A9).
import earlierTemplate from '../../../templates/compaction/earlier-messages.md';
import omittedTemplate from '../../../templates/compaction/earlier-omitted.md';
import { isRealUserMessage, type Message, type UserMessage, type UserPart, userText } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { wellFormed } from '../platform/text.ts';
import { activeRequest } from './retention.ts';

/** Share of the window, and tokens at most (design section 6). */
const WINDOW_PERCENT = 12;
const MOST_TOKENS = 24_000;
/** So many ids of left-out messages are named. */
const MOST_IDS = 40;

export interface EarlierInput {
  /** What the new generation does not hold as messages, oldest first. */
  past: readonly Message[];
  /** All messages of the generation that is compacted: they tell which turns came to their end. */
  current: readonly Message[];
  /** Tokens. */
  contextWindow: number;
  countTokens(text: string): number;
}

/** None when the user said nothing before. */
export function earlierMessagesPart({ past, current, contextWindow, countTokens }: EarlierInput): UserPart[] {
  const real = past.filter(isRealUserMessage);
  const activeTurn = activeRequest(current).at(-1)?.turn;
  const finished = finishedTurns([...past, ...current]);
  const quotes: string[] = [];
  const omitted: string[] = [];
  let room = earlierMessagesCap(contextWindow);
  for (const message of real.toReversed()) {
    const quote = quoted(message, statusOf(message, activeTurn, finished));
    const tokens = countTokens(quote);
    if (tokens > room) {
      omitted.unshift(message.id);
      continue;
    }
    room -= tokens;
    quotes.unshift(quote);
  }
  if (real.length === 0) return [];
  const texts = omitted.length === 0 ? quotes : [omittedLine(omitted), ...quotes];
  return [{ kind: 'earlier_messages', text: fill(earlierTemplate, { messages: texts.join('\n\n') }) }];
}

/** Tokens. */
export function earlierMessagesCap(contextWindow: number): number {
  return Math.min(Math.floor((contextWindow * WINDOW_PERCENT) / 100), MOST_TOKENS);
}

function quoted(message: UserMessage, status: string): string {
  const text = wellFormed(userText(message));
  return `<earlier-message id="${message.id}" turn="${message.turn}" status="${status}">\n${text}\n</earlier-message>`;
}

function statusOf(message: UserMessage, activeTurn: number | undefined, finished: ReadonlySet<number>): string {
  if (message.turn === activeTurn) return 'active';
  return finished.has(message.turn) ? 'done' : 'not finished';
}

/** Turns whose last answer came to its own end. */
function finishedTurns(messages: readonly Message[]): Set<number> {
  const finished = new Set<number>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    if (message.stopReason === 'end_turn' && !message.incomplete) finished.add(message.turn);
    else finished.delete(message.turn);
  }
  return finished;
}

function omittedLine(ids: readonly string[]): string {
  const named = ids.slice(-MOST_IDS);
  const more = ids.length - named.length;
  return fill(omittedTemplate, { ids: (more > 0 ? [`${more} older ones`, ...named] : named).join(', ') });
}
