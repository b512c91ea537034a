import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceText } from '../../../src/core/tools/replaceText.ts';

describe('replaceText', () => {
  it('two places that overlap are two places, however the lines end', () => {
    for (const ending of ['\n', '\r\n']) {
      const text = `}${ending}}${ending}}${ending}`;
      const result = replaceText(text, '}\n}\n', '', false);
      assert.match('problem' in result ? result.problem : '', /^old_text stands in 2 places \(lines 1, 2\)\./);
    }
    assert.deepEqual(replaceText('aaa', 'aa', 'b', true), { text: 'ba', count: 1 });
  });

  it('A18: the line feed of a CRLF is no line break by itself, and no edit splits the pair', () => {
    assert.deepEqual(replaceText('a\r\nb', '\nb', '\nc', false), { text: 'a\r\nc', count: 1 });
    assert.deepEqual(replaceText('a\r\nb\r\n', 'a\n', '', false), { text: 'b\r\n', count: 1 });
    assert.deepEqual(replaceText('a\r\nb\nc', '\n', ' ', true), { text: 'a b c', count: 2 });
  });

  it('names at most ten of the lines a text stands in', () => {
    const result = replaceText('x\n'.repeat(12), 'x', 'y', false);
    assert.match('problem' in result ? result.problem : '', /12 places \(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …\)/);
  });

  // The search text is a mark that nothing else holds, so the right answer is known without searching.
  const mark = '«.*$1\n(x)»';
  const plain = fc
    .array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '$&', '$1', '\u{1f4c1}', '漢', ' ', 'x'), fc.string()), {
      maxLength: 8,
    })
    .map((parts) => parts.join('').replace(/[«»]/g, ''));
  const written = fc.constantFrom(mark, mark.replace('\n', '\r\n'));

  it('A18: any text: all outside the replaced places stays, the count is right, new text goes in as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(plain, written), { minLength: 1, maxLength: 5 }),
        plain,
        plain,
        fc.constantFrom(mark, mark.replace('\n', '\r\n')),
        (places, end, insert, search) => {
          const text = places.map(([before, found]) => before + found).join('') + end;
          const result = replaceText(text, search, insert, true);
          const expected = places
            .map(([before, found]) => before + insert.replace(/\r?\n/g, () => (found.includes('\r\n') ? '\r\n' : '\n')))
            .join('');
          assert.deepEqual(result, { text: expected + end, count: places.length });
          if (places.length === 1) assert.deepEqual(replaceText(text, search, insert, false), result);
          else assert.ok('problem' in replaceText(text, search, insert, false));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('A18: any CRLF text edited with LF is the LF text edited with LF, with its endings put back', () => {
    const line = fc.stringMatching(/^[ab ${}]{0,4}$/);
    const lines = fc.array(line, { minLength: 1, maxLength: 8 }).map((each) => each.join('\n'));
    const toCrlf = (text: string) => text.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(
        lines,
        lines.filter((each) => each !== ''),
        lines,
        fc.boolean(),
        (text, search, insert, all) => {
          const plainResult = replaceText(text, search, insert, all);
          // A text without a line break has no ending that new lines could follow.
          fc.pre(text.includes('\n'));
          const result = replaceText(toCrlf(text), search, insert, all);
          assert.deepEqual(
            result,
            'text' in plainResult ? { ...plainResult, text: toCrlf(plainResult.text) } : plainResult,
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
