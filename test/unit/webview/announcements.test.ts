import assert from 'node:assert/strict';
import type { DeltaOperation } from '../../../src/protocol.ts';
import { announcements } from '../../../webview/announcements.ts';
import { type ChatModel, emptyModel, reduce } from '../../../webview/state.ts';
import { answer, chatState, note, toolCard, userMessage } from './samples.ts';

const start: ChatModel = reduce(emptyModel, {
  type: 'snapshot',
  sequence: 0,
  state: chatState(),
  items: [userMessage('u')],
  olderCount: 2,
});

function spoken(before: ChatModel, ...operations: DeltaOperation[]): string[] {
  return announcements(before, reduce(before, { type: 'delta', sequence: before.sequence + 1, operations }));
}

describe('announcements', () => {
  it('stays silent while an answer streams and reads it once when it is done', () => {
    assert.deepEqual(spoken(start, { op: 'put', item: answer('a', 'Hel', true) }), []);
    const streaming = reduce(start, {
      type: 'delta',
      sequence: 1,
      operations: [{ op: 'put', item: answer('a', 'Hel', true) }],
    });
    assert.deepEqual(spoken(streaming, { op: 'append', id: 'a', text: 'lo' }), []);
    assert.deepEqual(spoken(streaming, { op: 'put', item: answer('a', 'Hello', false) }), ['Answer: Hello']);
    const done = reduce(start, {
      type: 'delta',
      sequence: 1,
      operations: [{ op: 'put', item: answer('a', 'Hello', false) }],
    });
    assert.deepEqual(spoken(done, { op: 'put', item: { ...answer('a', 'Hello', false) } }), []);
  });

  it('asks for approval, names failures and notices', () => {
    const approval = {
      id: 'p',
      title: 'Run: npm test',
      detail: '',
      detailKind: 'command' as const,
      sessionLabel: 'npm test',
    };
    assert.deepEqual(spoken(start, { op: 'put', item: { ...toolCard('t'), status: 'waiting', approval } }), [
      'Approval needed: Run: npm test',
    ]);
    assert.deepEqual(spoken(start, { op: 'put', item: { ...toolCard('t'), status: 'error' } }), ['bash failed.']);
    assert.deepEqual(spoken(start, { op: 'put', item: note('n') }), ['No key. Set one.']);
  });

  it('says that the agent has stopped', () => {
    const working = reduce(start, {
      type: 'delta',
      sequence: 1,
      operations: [{ op: 'state', state: chatState({ activity: { kind: 'working', label: 'Thinking' } }) }],
    });
    assert.deepEqual(spoken(working, { op: 'state', state: chatState() }), ['The agent has stopped.']);
  });

  it('says nothing about older pages, nor about another session', () => {
    const paged = reduce(start, { type: 'page', before: 'u', items: [answer('old', 'x', false)], olderCount: 0 });
    assert.deepEqual(announcements(start, paged), []);
    const other = reduce(start, {
      type: 'snapshot',
      sequence: 0,
      state: chatState({ sessionId: 's2' }),
      items: [answer('b', 'x', false)],
      olderCount: 0,
    });
    assert.deepEqual(announcements(start, other), []);
  });
});
