// What a screen reader is told: finished answers, questions and failures, never single tokens.
import type { ChatItem } from '../src/protocol.ts';
import { type ChatModel, isBusy } from './state.ts';

/** Characters of an answer that are read out; the rest is in the message list. */
const MAX_SPOKEN = 600;

/** Compares two states of the same session; a new session or a first snapshot announces nothing. */
export function announcements(before: ChatModel, after: ChatModel): string[] {
  if (!before.chat || !after.chat || before.chat.sessionId !== after.chat.sessionId || before.items === after.items) {
    return idleAnnouncement(before, after);
  }
  const known = new Map(before.items.map((item) => [item.id, item]));
  const lastKnown = before.items.at(-1);
  const firstNew = lastKnown ? after.items.findIndex((item) => item.id === lastKnown.id) : -1;
  const spoken = after.items.flatMap((item, index) => {
    const old = known.get(item.id);
    // A page of older items is not news.
    if (old === item || (!old && index < firstNew)) return [];
    return announceItem(old, item);
  });
  return [...spoken, ...idleAnnouncement(before, after)];
}

function idleAnnouncement(before: ChatModel, after: ChatModel): string[] {
  return before.chat?.sessionId === after.chat?.sessionId && isBusy(before.chat) && !isBusy(after.chat)
    ? ['The agent has stopped.']
    : [];
}

function announceItem(old: ChatItem | undefined, item: ChatItem): string[] {
  switch (item.kind) {
    case 'assistant': {
      const wasDone = old?.kind === 'assistant' && !old.streaming;
      return item.streaming || wasDone ? [] : [`Answer: ${item.markdown.slice(0, MAX_SPOKEN)}`];
    }
    case 'tool': {
      const previous = old?.kind === 'tool' ? old : undefined;
      if (item.approval && previous?.approval?.id !== item.approval.id)
        return [`Approval needed: ${item.approval.title}`];
      if (item.status === 'error' && previous?.status !== 'error') return [`${item.name} failed.`];
      return [];
    }
    case 'notice':
      return old ? [] : [`${item.message} ${item.advice ?? ''}`.trim()];
    case 'compaction':
      return old ? [] : ['The conversation was compacted.'];
    case 'user':
    case 'thinking':
      return [];
  }
}
