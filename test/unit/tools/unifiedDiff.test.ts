import assert from 'node:assert/strict';
import { unifiedDiff } from '../../../src/core/tools/unifiedDiff.ts';

describe('unifiedDiff', () => {
  it('has the two file lines, hunks with three lines of context, and nothing else', () => {
    const before = Array.from({ length: 20 }, (_, index) => `l${index}\n`).join('');
    assert.equal(
      unifiedDiff('a.ts', before, before.replace('l10\n', 'new\n')),
      '--- a.ts\n+++ a.ts\n@@ -8,7 +8,7 @@\n l7\n l8\n l9\n-l10\n+new\n l11\n l12\n l13\n',
    );
  });

  it('cuts huge lines and huge diffs, and says so', () => {
    const line = unifiedDiff('a.js', 'x', '\u{1f4c1}'.repeat(50_000));
    assert.ok(line.length < 5_000 && line.isWellFormed());
    assert.match(line, /\n\\ The line goes on: 50000 characters in all\n/);
    const many = unifiedDiff('a.txt', '', 'one line of the file\n'.repeat(50_000));
    assert.ok(Buffer.byteLength(many) < 257 * 1024);
    assert.match(many, /\+one line of the file\n\\ The diff goes on: \d+ lines in all\n$/);
  });

  it('A17: a line is cut on code points at every length around the limit, and says how long it is', () => {
    for (const lead of [1_997, 1_998, 1_999, 2_000]) {
      const diff = unifiedDiff('a.txt', '', `${'x'.repeat(lead)}\u{1f4c1}tail\n`);
      const [, , , shown = '', note] = diff.split('\n');
      assert.ok(diff.isWellFormed());
      // One unit is the plus sign, two are the folder's.
      assert.equal(shown, `+${'x'.repeat(Math.min(lead, 1_999))}${lead === 1_997 ? '\u{1f4c1}' : ''}`);
      assert.equal(note, `\\ The line goes on: ${lead + 5} characters in all`);
    }
  });

  it('A17: a huge diff ends with a whole line, whatever characters its limit falls on', () => {
    for (const lead of [0, 1, 2, 3]) {
      const diff = unifiedDiff('a.txt', '', `${'x'.repeat(lead)}\n${'漢\u{1f4c1}字\n'.repeat(40_000)}`);
      const lines = diff.split('\n');
      assert.ok(Buffer.byteLength(diff) <= 257 * 1024 && diff.isWellFormed());
      assert.equal(lines.at(-3), '+漢\u{1f4c1}字');
      // Three lines of heading, the first line, and the empty rest after the last line break.
      assert.equal(lines.at(-2), `\\ The diff goes on: ${3 + 1 + 40_000 + 1} lines in all`);
    }
  });

  it('two texts that share nothing are shown as replaced, however long comparing them would take', () => {
    const text = (start: number) => Array.from({ length: 40_000 }, (_, index) => `${start + index * 2}\n`).join('');
    const diff = unifiedDiff('a.txt', text(0), text(1));
    assert.match(diff, /^--- a\.txt\n\+\+\+ a\.txt\n@@ -1,40000 \+1,40000 @@\n-0\n-2\n/);
  });
});
