// A process that appends numbered messages to a session until it is killed, and prints the number of each saved one.
import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { randomIds } from '../../../src/core/platform/ids.ts';
import { SessionStore } from '../../../src/core/sessions/sessionStore.ts';

const [, , root = '', id = ''] = process.argv;
const opened = await new SessionStore({ root, clock: systemClock, ids: randomIds }).open(id);
if (opened.access !== 'write') throw new Error(`not writable: ${JSON.stringify(opened.why)}`);
const { session } = opened;
const isMessage = (record: { type: string }) => record.type === 'message';
for (let number = session.records.filter(isMessage).length + 1; ; number++) {
  // Every seventh is large: those are the ones that a kill can cut.
  const text = `${number} ${'📁'.repeat(number % 7 === 0 ? 40_000 : 20)}`;
  await session.append({
    type: 'message',
    message: { id: `m${number}`, role: 'user', at: number, turn: number, parts: [{ kind: 'text', text }] },
  });
  if (number % 50 === 0) await session.flush();
  writeSync(1, `${number}\n`);
}
