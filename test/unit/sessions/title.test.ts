import assert from 'node:assert/strict';
import { sessionTitle } from '../../../src/core/sessions/title.ts';

describe('session title', () => {
  it('is the first words on one line', () => {
    assert.equal(sessionTitle('  Fix the\n\n  parser\tplease '), 'Fix the parser please');
    assert.equal(sessionTitle(' \n '), '');
  });

  it('is at most 80 long and never ends in half a character (case A17)', () => {
    for (let letters = 70; letters <= 82; letters++) {
      const title = sessionTitle(`${'x'.repeat(letters)}📁 tail that makes it long`);
      assert.ok(title.length <= 80 && title.isWellFormed(), title);
      assert.ok(title.endsWith('…'));
    }
    assert.equal(sessionTitle('y'.repeat(80)), 'y'.repeat(80));
  });
});
