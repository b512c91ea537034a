import assert from 'node:assert/strict';
import { Memo } from '../../../src/core/prompt/memo.ts';
import { StaticContextCache } from '../../../src/core/prompt/staticCache.ts';

describe('memo', () => {
  it('loads again only when the key changes', async () => {
    const memo = new Memo<number>();
    let next = 0;
    const get = (...key: unknown[]) => memo.get(key, async () => ++next);
    assert.deepEqual([await get('a'), await get('a'), await get('b'), await get('a')], [1, 1, 2, 3]);
    assert.equal(memo.loads, 3);
  });

  it('does not take two parts for one', async () => {
    const memo = new Memo<string>();
    await memo.get(['a', 'b'], async () => 'two');
    assert.equal(await memo.get(['a,b'], async () => 'one'), 'one');
  });

  it('does not keep a failed load, nor a refused value', async () => {
    const memo = new Memo<number>();
    await assert.rejects(
      memo.get(['a'], () => Promise.reject(new Error('disk'))),
      /disk/,
    );
    assert.equal(
      await memo.get(
        ['a'],
        async () => 1,
        () => false,
      ),
      1,
    );
    assert.equal(await memo.get(['a'], async () => 2), 2);
    assert.equal(await memo.get(['a'], async () => 3), 2);
  });

  it('shares one load between calls that overlap, and a late failure does not undo a newer value', async () => {
    const memo = new Memo<string>();
    let fail = (_reason: Error) => {};
    const slow = () => new Promise<string>((_resolve, reject) => (fail = reject));
    const first = assert.rejects(memo.get(['a'], slow));
    const second = assert.rejects(memo.get(['a'], slow));
    assert.equal(memo.loads, 1);
    await memo.get(['b'], async () => 'new');
    fail(new Error('late'));
    await Promise.all([first, second]);
    assert.equal(await memo.get(['b'], async () => 'again'), 'new');
  });
});

describe('static cache', () => {
  it('drops every file partition, and only those, when the scope changes', async () => {
    const cache = new StaticContextCache();
    const load = async () => {
      await cache.preamble.get([], async () => '');
      await cache.agents.get([], async () => ({ files: [], problems: [] }));
      await cache.project.get([], async () => ({ files: [], truncated: [], problems: [] }));
      await cache.skills.get([], async () => '');
      return [cache.preamble.loads, cache.agents.loads, cache.project.loads, cache.skills.loads];
    };
    cache.beginScope('session 1');
    assert.deepEqual(await load(), [1, 1, 1, 1]);
    cache.beginScope('session 1');
    assert.deepEqual(await load(), [1, 1, 1, 1]);
    cache.beginScope('session 2');
    assert.deepEqual(await load(), [1, 2, 2, 2]);
  });
});
