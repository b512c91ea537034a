import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ItemList } from '../../../src/host/chat/itemList.ts';
import type { ChatItem } from '../../../src/protocol.ts';

function item(id: string, message = ''): ChatItem {
  return { kind: 'notice', id, at: 0, severity: 'info', message };
}

function listOf(...ids: string[]): ItemList {
  const list = new ItemList();
  for (const id of ids) list.put(item(id));
  return list;
}

const ids = (items: readonly ChatItem[]) => items.map(({ id }) => id).join('');

describe('ItemList', () => {
  it('finds every item at its place after any puts and removals', () => {
    const change = fc.record({ put: fc.boolean(), id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g') });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const list = new ItemList();
        let expected: string[] = [];
        for (const [step, { put, id }] of changes.entries()) {
          if (put) {
            list.put(item(id, String(step)));
            if (!expected.includes(id)) expected.push(id);
            assert.deepEqual(list.get(id), item(id, String(step)));
          } else {
            assert.equal(list.remove(id).length, expected.includes(id) ? 1 : 0);
            expected = expected.filter((each) => each !== id);
            assert.equal(list.get(id), undefined);
          }
          assert.equal(ids(list.items), expected.join(''));
          for (const each of expected) {
            assert.equal(list.get(each)?.id, each);
            assert.equal(list.before(each, 99).olderCount, 0);
            assert.equal(ids(list.before(each, 99).items), expected.slice(0, expected.indexOf(each)).join(''));
          }
        }
      }),
    );
  });

  it('says how many items stand before a page', () => {
    const list = listOf('a', 'b', 'c', 'd', 'e');
    assert.deepEqual([ids(list.newest(2).items), list.newest(2).olderCount], ['de', 3]);
    assert.deepEqual([ids(list.before('d', 2).items), list.before('d', 2).olderCount], ['bc', 1]);
    assert.deepEqual([ids(list.before('b', 2).items), list.before('b', 2).olderCount], ['a', 0]);
    assert.deepEqual([ids(list.newest(9).items), list.newest(9).olderCount], ['abcde', 0]);
  });

  it('has nothing before an item it does not know', () => {
    assert.deepEqual(listOf('a').before('?', 5), { items: [], olderCount: 0 });
  });
});
