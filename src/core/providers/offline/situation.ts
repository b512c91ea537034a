// What the built-in model knows when it is asked: the user's last words, and what was done about them since.

import earlierMessages from '../../../../templates/compaction/earlier-messages.md';
import buildNotice from '../../../../templates/modes/build.md';
import planNotice from '../../../../templates/modes/plan.md';
import interruptedNote from '../../../../templates/notes/interrupted.md';
import sessionDate from '../../../../templates/session-date.md';
import type { ModelRequest, RequestMessage } from '../../conversation/request.ts';
import { SUMMARY_SOURCE } from '../../conversation/systemZone.ts';

/** A tool call that was answered. */
export interface Step {
  name: string;
  input: Record<string, unknown>;
  content: string;
  failed: boolean;
}

export interface Situation {
  /** The user's last words; empty when there are none. */
  question: string;
  /** Calls since the question, in order. */
  steps: Step[];
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
  planMode: boolean;
  /** Nothing was answered in this session yet. */
  isFirstAnswer: boolean;
}

export function situationOf(request: ModelRequest): Situation {
  const asked = request.messages.findLastIndex((message) => ownWords(message) !== undefined);
  const question = asked < 0 ? undefined : request.messages[asked];
  return {
    question: (question && ownWords(question)) ?? '',
    steps: stepsOf(request.messages.slice(Math.max(0, asked))),
    tools: new Set(request.tools.map(({ name }) => name)),
    planMode: isPlanMode(request.messages),
    isFirstAnswer: !request.messages.some(isAnswer) && !request.system.some(({ source }) => source === SUMMARY_SOURCE),
  };
}

/** All calls of the messages with their results. */
export function stepsOf(messages: readonly RequestMessage[]): Step[] {
  const results = new Map<string, { content: string; failed: boolean }>();
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    for (const block of content) {
      if (block.type === 'tool_result') results.set(block.callId, { content: block.content, failed: block.isError });
    }
  }
  return messages.flatMap(({ role, content }) =>
    role !== 'assistant'
      ? []
      : content.flatMap((block) => {
          const result = block.type === 'tool_call' ? results.get(block.callId) : undefined;
          return block.type === 'tool_call' && result
            ? [{ name: block.name, input: asObject(block.input), ...result }]
            : [];
        }),
  );
}

/** The user's last words in the message. Undefined: it holds only results and what the extension delivers. */
export function ownWords(message: RequestMessage): string | undefined {
  return ownTexts(message, ['active']).at(-1);
}

/** The user's words in the message, in order; of quotes of earlier messages those whose status is asked for. */
export function ownTexts(message: RequestMessage, statuses?: readonly string[]): string[] {
  if (message.role !== 'user') return [];
  return message.content.flatMap((block) => {
    if (block.type !== 'text') return [];
    const text = block.text.trim();
    if (text.startsWith(EARLIER_MESSAGES)) return quotedMessages(text, statuses);
    return DELIVERED.some((start) => text.startsWith(start)) ? [] : [text];
  });
}

function quotedMessages(text: string, statuses: readonly string[] | undefined): string[] {
  const quotes = text.matchAll(/<earlier-message [^\n>]*status="([^"]*)">\n([\s\S]*?)\n<\/earlier-message>/g);
  return [...quotes].flatMap(([, status = '', words = '']) =>
    statuses === undefined || statuses.includes(status) ? [words.trim()] : [],
  );
}

const EARLIER_MESSAGES = beforeSlot(earlierMessages);

/** How the texts begin that the extension puts beside the user's words. */
const DELIVERED = [
  interruptedNote.trim(),
  planNotice.trim(),
  buildNotice.trim(),
  beforeSlot(sessionDate),
  'Note from Steiner: ',
  '<steiner-skill name=',
];

/** The part of a template that is the same in every text made from it. */
export function beforeSlot(template: string): string {
  return (template.split('{{')[0] ?? '').trim();
}

function isPlanMode(messages: readonly RequestMessage[]): boolean {
  const notices = messages.flatMap(({ role, content }) =>
    role !== 'user'
      ? []
      : content.flatMap((block) => {
          const text = block.type === 'text' ? block.text.trim() : '';
          return text === planNotice.trim() || text === buildNotice.trim() ? [text] : [];
        }),
  );
  return notices.at(-1) === planNotice.trim();
}

/** An assistant message without calls ends a turn. */
function isAnswer(message: RequestMessage): boolean {
  return message.role === 'assistant' && !message.content.some((block) => block.type === 'tool_call');
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
