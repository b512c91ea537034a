import assert from 'node:assert/strict';
import { parseDiff } from '../../../webview/diffLines.ts';

describe('diff lines', () => {
  it('tells headers from changes by counting the lines of a hunk', () => {
    const diff = parseDiff(
      ['--- a/x.sql', '+++ b/x.sql', '@@ -1,3 +1,3 @@', ' select 1;', '--- old comment', '+++ new', ' end', ''].join(
        '\n',
      ),
    );
    assert.deepEqual(
      diff.lines.map((line) => line.kind),
      ['header', 'header', 'hunk', 'context', 'removed', 'added', 'context'],
    );
    assert.deepEqual([diff.added, diff.removed], [1, 1]);
  });

  it('reads hunks without counts and the missing-newline mark', () => {
    const diff = parseDiff('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n');
    assert.deepEqual(
      diff.lines.map((line) => line.kind),
      ['hunk', 'removed', 'context', 'added', 'header'],
    );
  });

  it('starts the next file after the last line of a hunk', () => {
    const diff = parseDiff('@@ -1 +0,0 @@\n-a\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+b');
    assert.deepEqual(
      diff.lines.map((line) => line.kind),
      ['hunk', 'removed', 'header', 'header', 'hunk', 'added'],
    );
  });
});
