import assert from 'node:assert/strict';
import fc from 'fast-check';
import { directUse } from '../../../src/core/skills/directUse.ts';

const NAMES = ['review', 'review all', 'a.b'];

describe('/name of a skill', () => {
  it('uses the skill and sends the rest of the message', () => {
    assert.deepEqual(directUse('/review  the diff\nplease ', NAMES), { skill: 'review', text: 'the diff\nplease' });
    assert.deepEqual(directUse('  /a.b x', NAMES), { skill: 'a.b', text: 'x' });
  });

  it('alone is what the user said', () => {
    assert.deepEqual(directUse('/review ', NAMES), { skill: 'review', text: '/review' });
  });

  it('of two names that fit the longer one counts', () => {
    assert.deepEqual(directUse('/review all now', NAMES), { skill: 'review all', text: 'now' });
    assert.equal(directUse('/review allover', NAMES).skill, 'review');
  });

  for (const text of ['/unknown x', '/reviewer', '/usr/bin/review', 'see /review', '/', '/aXb', ' /Review']) {
    it(`is plain text otherwise, byte for byte: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(directUse(text, NAMES), { skill: undefined, text });
    });
  }

  it('loses no word, whatever is typed and whatever skills are called', () => {
    const word = fc.constantFrom('/', '/a', 'a', ' ', '\n', 'a b', '/a b', 'x📁', '$&');
    const texts = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.uniqueArray(fc.constantFrom<string[]>('a', 'a b', 'x', 'x📁', '$&')), (text, names) => {
        const used = directUse(text, names);
        if (used.skill === undefined) {
          assert.equal(used.text, text);
          return;
        }
        assert.ok(names.includes(used.skill));
        const command = `/${used.skill}`;
        const said = text.trim();
        assert.equal(said.slice(0, command.length), command);
        assert.equal(used.text, said === command ? command : said.slice(command.length).trim());
      }),
      { verbose: 1, numRuns: 1_000 },
    );
  });
});
