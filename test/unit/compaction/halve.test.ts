import assert from 'node:assert/strict';
import { largestHalved } from '../../../src/core/compaction/halve.ts';
import { assistant, call, result, user } from '../conversation/support.ts';

describe('largestHalved', () => {
  it('cuts only the longest text, keeps its head and tail, and says how much is gone', () => {
    const [small, large] = [result('a', 'x'.repeat(900)), result('b', `${'h'.repeat(500)}${'t'.repeat(500)}`)];
    const [kept, cut] = largestHalved([small, large]) ?? [];
    assert.equal(kept, small);
    assert.ok(cut?.role === 'tool');
    assert.equal(cut.content, `${'h'.repeat(250)}\n[500 characters left out here]\n${'t'.repeat(250)}`);
    assert.equal(large.content.length, 1_000);
  });

  it('cuts long arguments, answers and words of the user as well', () => {
    const long = 'x'.repeat(1_000);
    const [written] = largestHalved([assistant([call('a', { content: long })])]) ?? [];
    assert.ok(written?.role === 'assistant' && JSON.stringify(written.blocks).length < 700);
    const [said] = largestHalved([assistant([{ type: 'text', text: long }])]) ?? [];
    assert.ok(said?.role === 'assistant' && JSON.stringify(said.blocks).length < 700);
    const [asked] = largestHalved([user(long)]) ?? [];
    assert.ok(asked?.role === 'user' && JSON.stringify(asked.parts).length < 700);
  });

  it('A12: leaves thinking and skills alone, and gives up when only they are long', () => {
    const long = 'x'.repeat(5_000);
    const messages = [
      user([{ kind: 'skill_activation', name: 's', body: long }]),
      assistant([{ type: 'thinking', thinking: long, signature: 's' }]),
      result('a', 'short'),
    ];
    assert.equal(largestHalved(messages), undefined);
  });

  it('A17: cuts on a code point', () => {
    for (const shift of [0, 1]) {
      const [cut] = largestHalved([result('a', `${'a'.repeat(shift)}${'📁'.repeat(500)}`)]) ?? [];
      assert.ok(cut?.role === 'tool' && cut.content.isWellFormed());
    }
  });

  it('comes to an end', () => {
    let messages: ReturnType<typeof largestHalved> = [result('a', 'x'.repeat(1_000_000)), user('y'.repeat(30_000))];
    let rounds = 0;
    while (messages) {
      messages = largestHalved(messages);
      rounds += 1;
    }
    assert.ok(rounds < 60);
  });
});
