import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import { generation, lineageOf, says, user } from './support.ts';

describe('Lineage', () => {
  it('keeps every generation and message; the newest generation is active', () => {
    const [first, second, third] = [user('one'), says('two'), user('three')];
    const lineage = lineageOf([first, second]);
    lineage.addGeneration(generation({ id: 2, kind: 'summary', parent: 1, summary: 's', retained: [second.id] }));
    lineage.append(third);

    assert.equal(lineage.active.id, 2);
    assert.equal(lineage.nextGenerationId, 3);
    assert.deepEqual(lineage.view(), { generation: lineage.active, retained: [second], appended: [third] });
    assert.deepEqual(lineage.view(1).appended, [first, second]);
    assert.deepEqual(lineage.messages, [first, second, third]);
    assert.deepEqual(
      lineage.generations.map(({ id }) => id),
      [1, 2],
    );
    assert.equal(lineage.message(second.id), second);
  });

  it('gives views that later appends do not change', () => {
    const lineage = lineageOf([user('one')]);
    const view = lineage.view();
    lineage.append(says('two'));
    assert.equal(view.appended.length, 1);
  });

  it('refuses a message before any generation, a second message with the same id, and a used generation id', () => {
    assert.throws(() => new Lineage().append(user('x')), /no generation/);
    const message = user('x');
    const lineage = lineageOf([message]);
    assert.throws(() => lineage.append(message), /stored already/);
    assert.throws(() => lineage.addGeneration(generation({ id: 1 })), /given before/);
    assert.throws(() => lineage.view(7), /no generation 7/);
  });

  it('passes over retained ids that a damaged log has lost', () => {
    const kept = says('kept');
    const lineage = lineageOf([kept]);
    lineage.addGeneration(generation({ id: 2, retained: ['lost', kept.id] }));
    assert.deepEqual(lineage.view().retained, [kept]);
  });

  it('knows the messages of ancestors that the active generation dropped, and leaves out abandoned branches', () => {
    const [a, b, c, d, e] = [user('a'), user('b'), user('c'), user('d'), user('e')];
    const lineage = lineageOf([a, b]);
    assert.deepEqual(lineage.former(), []);
    lineage.addGeneration(generation({ id: 2, kind: 'summary', parent: 1, retained: [b.id] }));
    lineage.append(c);
    lineage.addGeneration(generation({ id: 3, kind: 'summary', parent: 2, retained: [c.id] }));
    lineage.append(d);
    assert.deepEqual(lineage.former(), [a, b]);
    lineage.addGeneration(generation({ id: 4, kind: 'restored', parent: 2, retained: [b.id, c.id] }));
    lineage.append(e);
    assert.deepEqual(lineage.former(), [a]);
  });

  it('invariant 1: no step changes what an earlier step stored', () => {
    const step = fc.oneof(fc.constant('message'), fc.constant('generation'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const lineage = new Lineage();
        lineage.addGeneration(generation());
        let before = { generations: lineage.generations, messages: [...lineage.messages] };
        for (const kind of steps) {
          if (kind === 'message') lineage.append(user('x'));
          else {
            const retained = lineage.messages.slice(-2).map(({ id }) => id);
            lineage.addGeneration(generation({ id: lineage.nextGenerationId, kind: 'summary', retained }));
          }
          assert.deepEqual(lineage.generations.slice(0, before.generations.length), before.generations);
          assert.deepEqual(lineage.messages.slice(0, before.messages.length), before.messages);
          assert.equal(lineage.active, lineage.generations.at(-1));
          before = { generations: lineage.generations, messages: [...lineage.messages] };
        }
      }),
    );
  });
});
