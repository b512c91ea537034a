// Items and states in the shape of the protocol.
import type { ChatItem, ChatState } from '../../../src/protocol.ts';

export function chatState(change: Partial<ChatState> = {}): ChatState {
  return {
    sessionId: 's1',
    title: 'Title',
    model: { id: 'offline/offline', label: 'Offline' },
    models: [],
    mode: 'build',
    skills: [],
    activity: { kind: 'idle' },
    meter: { tokens: 10, window: 1_000, source: 'estimated' },
    queued: [],
    ...change,
  };
}

export function userMessage(id: string, at = 0): ChatItem {
  return { kind: 'user', id, at, text: `text of ${id}`, skills: [] };
}

export function answer(id: string, markdown: string, streaming: boolean): ChatItem {
  return { kind: 'assistant', id, at: 0, markdown, streaming, incomplete: false };
}

export function toolCard(id: string, at = 0): Extract<ChatItem, { kind: 'tool' }> {
  return {
    kind: 'tool',
    id,
    at,
    name: 'bash',
    title: 'npm test',
    status: 'running',
    output: '',
    outputTruncated: false,
  };
}

export function note(id: string): ChatItem {
  return { kind: 'notice', id, at: 0, severity: 'error', message: 'No key.', advice: 'Set one.' };
}
