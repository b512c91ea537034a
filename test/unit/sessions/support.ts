import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Generation } from '../../../src/core/conversation/generation.ts';
import type { UserMessage } from '../../../src/core/conversation/message.ts';
import type { SessionRecord } from '../../../src/core/sessions/records.ts';
import { SessionStore, type SessionStoreOptions } from '../../../src/core/sessions/sessionStore.ts';
import { FakeClock } from '../../rig/clock.ts';

/** A temporary folder that is gone after the test. */
export function useTemporaryFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steiner-sessions-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

export function countedIds(): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}_${count}`;
  };
}

export function storeIn(root: string, options: Partial<SessionStoreOptions> = {}): SessionStore {
  return new SessionStore({ root, clock: new FakeClock(), ids: countedIds(), ...options });
}

export function userMessage(number: number, text: string): UserMessage {
  return { id: `m${number}`, role: 'user', at: 1_000 + number, turn: number, parts: [{ kind: 'text', text }] };
}

export function messageRecord(number: number, text: string): SessionRecord {
  return { type: 'message', message: userMessage(number, text) };
}

export function generation(id: number): Generation {
  return {
    id,
    kind: id === 1 ? 'start' : 'summary',
    at: id,
    head: {
      model: { provider: 'offline', model: 'offline' },
      system: [{ source: 'preamble', text: 'You help.' }],
      tools: [],
      sessionDate: 'date',
      sourceHashes: {},
    },
    carried: [],
    retained: [],
  };
}

/** The texts of the user messages among the records, in order. */
export function textsOf(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) =>
    record.type === 'message' && record.message.role === 'user'
      ? record.message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
      : [],
  );
}
