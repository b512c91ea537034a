import assert from 'node:assert/strict';
import { type BackendState, standingBackendState } from '../../../src/core/conversation/backendState.ts';
import { parseRecordLine, recordLine } from '../../../src/core/sessions/recordLine.ts';
import { replay } from '../../../src/core/sessions/replay.ts';
import { generation, lineageOf, says, user } from '../conversation/support.ts';

const model = { provider: 'openai' as const, model: 'keeps-transcripts' };

function state(change: Partial<BackendState> = {}): BackendState {
  return { generation: 1, model, answer: 'a', messages: 2, value: { id: 't', revision: 1 }, ...change };
}

describe('backend state in the log', () => {
  it('comes back as it was stored, whatever JSON the provider made it of', () => {
    for (const value of ['id', 7, null, [1, { deep: ['ü'] }], { id: 't' }]) {
      const record = { type: 'backend_state' as const, state: state({ value }) };
      assert.deepEqual(parseRecordLine(recordLine(record).trimEnd()), { record });
    }
  });

  for (const damage of [
    { generation: '1' },
    { model: { provider: 'openai' } },
    { answer: 3 },
    { messages: null },
    { value: undefined },
  ]) {
    it(`is refused when it is incomplete: ${JSON.stringify(Object.keys(damage))}`, () => {
      const line = JSON.stringify({ type: 'backend_state', state: { ...state(), ...damage } });
      assert.deepEqual(parseRecordLine(line), { problem: 'incomplete backend_state record' });
    });
  }

  it('is the last one of the session, unless it was retired', () => {
    const first = { type: 'backend_state' as const, state: state() };
    const second = { type: 'backend_state' as const, state: state({ answer: 'b', messages: 4 }) };
    const retired = { type: 'backend_state_retired' as const, generation: 1 };
    assert.deepEqual(replay([first, second]).backendState, second.state);
    assert.equal(replay([first, second, retired]).backendState, undefined);
    assert.deepEqual(replay([first, retired, second]).backendState, second.state);
    assert.deepEqual(replay([first, { ...retired, generation: 2 }]).backendState, first.state);
    assert.deepEqual(parseRecordLine('{"type":"backend_state_retired"}'), {
      problem: 'incomplete backend_state_retired record',
    });
  });
});

describe('backend state of a conversation', () => {
  const messages = [user('one'), says('two'), user('three'), says('four')];
  const ids = messages.map(({ id }) => id);
  const of = (answer = 3) => state({ answer: ids[answer] ?? '', messages: answer + 1 });

  it('stands while its generation is active and everything up to its answer is there', () => {
    assert.deepEqual(standingBackendState(of(), lineageOf(messages).view()), of());
    assert.deepEqual(standingBackendState(of(1), lineageOf(messages).view()), of(1));
    assert.equal(standingBackendState(undefined, lineageOf(messages).view()), undefined);
  });

  it('falls with its generation: none of an older one stands', () => {
    const lineage = lineageOf(messages);
    lineage.addGeneration(generation({ id: 2, kind: 'rebased', retained: ids }));
    assert.equal(standingBackendState(of(), lineage.view()), undefined);
    assert.deepEqual(standingBackendState({ ...of(), generation: 2 }, lineage.view()), { ...of(), generation: 2 });
  });

  it('falls when any message before its answer is missing, or the answer itself', () => {
    for (const missing of messages) {
      const rest = messages.filter((message) => message !== missing);
      assert.equal(standingBackendState(of(), lineageOf(rest).view()), undefined);
    }
  });
});
