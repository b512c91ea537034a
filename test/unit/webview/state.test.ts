import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatItem, DeltaOperation, HostMessage } from '../../../src/protocol.ts';
import { type ChatModel, dropOldItems, emptyModel, lastUserText, reduce } from '../../../webview/state.ts';
import { answer, chatState, note, toolCard, userMessage } from './samples.ts';

function snapshot(items: ChatItem[], sequence = 0, olderCount = 0): HostMessage {
  return { type: 'snapshot', sequence, state: chatState(), items, olderCount };
}

function delta(sequence: number, ...operations: DeltaOperation[]): HostMessage {
  return { type: 'delta', sequence, operations };
}

function modelAfter(...messages: HostMessage[]): ChatModel {
  return messages.reduce(reduce, emptyModel);
}

const ids = (model: ChatModel) => model.items.map((item) => item.id);

describe('webview state', () => {
  it('ignores deltas until the first snapshot', () => {
    assert.deepEqual(modelAfter(delta(1, { op: 'put', item: userMessage('a') })), emptyModel);
  });

  it('applies deltas in order: put, replace, append, remove, state', () => {
    const model = modelAfter(
      snapshot([userMessage('a')], 4),
      delta(5, { op: 'put', item: answer('b', 'Hel', true) }, { op: 'append', id: 'b', text: 'lo' }),
      delta(6, { op: 'put', item: toolCard('c') }, { op: 'append', id: 'c', text: 'out' }),
      delta(7, { op: 'remove', id: 'a' }, { op: 'state', state: chatState({ title: 'New title' }) }),
      delta(8, { op: 'put', item: answer('b', 'Hello.', false) }),
    );
    assert.deepEqual(model.items, [answer('b', 'Hello.', false), { ...toolCard('c'), output: 'out' }]);
    assert.equal(model.chat?.title, 'New title');
    assert.equal(model.sequence, 8);
  });

  it('goes stale at a gap, and a snapshot heals it', () => {
    const gap = modelAfter(snapshot([], 1), delta(3, { op: 'put', item: userMessage('a') }));
    assert.equal(gap.stale, true);
    assert.deepEqual(ids(gap), []);
    const ignored = reduce(gap, delta(2, { op: 'put', item: userMessage('late') }));
    assert.equal(ignored, gap);
    const healed = reduce(gap, snapshot([userMessage('a')], 3));
    assert.equal(healed.stale, false);
    assert.deepEqual(ids(reduce(healed, delta(4, { op: 'put', item: userMessage('b') }))), ['a', 'b']);
  });

  it('takes no delta twice', () => {
    const once = modelAfter(snapshot([answer('a', 'x', true)], 1), delta(2, { op: 'append', id: 'a', text: 'y' }));
    assert.equal(reduce(once, delta(2, { op: 'append', id: 'a', text: 'y' })), once);
  });

  it('puts a page of older items in front, and refuses one for another place', () => {
    const model = modelAfter(snapshot([userMessage('c', 30)], 1, 2));
    const page: HostMessage = {
      type: 'page',
      before: 'c',
      items: [userMessage('a', 10), userMessage('b', 20)],
      olderCount: 0,
    };
    const paged = reduce(model, page);
    assert.deepEqual(ids(paged), ['a', 'b', 'c']);
    assert.equal(paged.olderCount, 0);
    assert.equal(reduce(paged, page), paged);
  });

  it('lets go of the oldest items and can page them in again', () => {
    const items = Array.from({ length: 401 }, (_, index) => userMessage(`u${index}`, index));
    const model = dropOldItems(modelAfter(snapshot(items, 1, 5)));
    assert.equal(model.items.length, 200);
    assert.equal(model.olderCount, 5 + 201);
    assert.equal(model.items.at(-1)?.id, 'u400');
    assert.equal(reduce(model, delta(2, { op: 'put', item: userMessage('u0', 0) })).items.length, 200);
    const page: HostMessage = { type: 'page', before: 'u201', items: items.slice(101, 201), olderCount: 106 };
    assert.deepEqual(ids(reduce(model, page)).slice(0, 2), ['u101', 'u102']);
    const few = modelAfter(snapshot(items.slice(0, 400), 1));
    assert.equal(dropOldItems(few), few);
  });

  it('finds the last text of the user', () => {
    assert.equal(lastUserText([userMessage('a'), answer('b', 'x', false), note('n')]), 'text of a');
    assert.equal(lastUserText([note('n')]), undefined);
  });

  it('ends in the state of one snapshot, however the stream is cut into deltas', () => {
    const operation: fc.Arbitrary<DeltaOperation> = fc.oneof(
      fc.record({
        op: fc.constant('put' as const),
        item: fc.constantFrom(...['a', 'b', 'c'].map((id) => answer(id, `start ${id} `, true))),
      }),
      fc.record({ op: fc.constant('append' as const), id: fc.constantFrom('a', 'b', 'c'), text: fc.string() }),
      fc.record({ op: fc.constant('remove' as const), id: fc.constantFrom('a', 'b', 'c') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 12 }), (batches) => {
        const stepwise = modelAfter(snapshot([], 0), ...batches.map((batch, index) => delta(index + 1, ...batch)));
        const atOnce = modelAfter(snapshot([], 0), delta(1, ...batches.flat()));
        assert.deepEqual(stepwise.items, atOnce.items);
        assert.equal(new Set(ids(stepwise)).size, stepwise.items.length);
      }),
    );
  });
});
