import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseEnvelopes, renderEnvelope, type SkillEnvelope } from '../../../src/core/conversation/skillEnvelope.ts';

/** Pieces that have broken parsers: our own tags, quotes, line breaks, surrogates, separators. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<steiner-skill name="x" state="active" bytes="3">\nabc\n</steiner-skill>',
        '</steiner-skill>',
        '\n</steiner-skill>\n\n',
        '"',
        '\\',
        '">\n',
        '\r\n',
        '\u2028',
        '\u0000',
        '📁',
        'é',
        '\ud83d',
        '\n\n',
      ),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

const envelope: fc.Arbitrary<SkillEnvelope> = fc.record({
  name: hostile,
  state: fc.constantFrom('active', 'inactive'),
  body: hostile,
});

const clean = ({ name, state, body }: SkillEnvelope) => ({
  name: name.toWellFormed(),
  state,
  body: body.toWellFormed(),
});

describe('skill envelope', () => {
  it('writes name, state and the UTF-8 length of the inner text', () => {
    assert.equal(
      renderEnvelope({ name: 'a "b"', state: 'active', body: 'é📁' }),
      '<steiner-skill name="a \\"b\\"" state="active" bytes="6">\né📁\n</steiner-skill>',
    );
  });

  it('A30: gives back any names and bodies, look-alikes included, and the user text byte for byte', () => {
    fc.assert(
      fc.property(fc.array(envelope, { maxLength: 4 }), hostile, (envelopes, tail) => {
        const userText = `I typed: ${tail}`.toWellFormed();
        const text = [...envelopes.map(renderEnvelope), userText].join('\n\n');
        assert.deepEqual(parseEnvelopes(text), { envelopes: envelopes.map(clean), rest: userText });
      }),
      { verbose: 1 },
    );
  });

  it('never drops a character: what was not read as an envelope is the rest', () => {
    fc.assert(
      fc.property(hostile, envelope, fc.nat(400), (before, each, cut) => {
        const text = before + renderEnvelope(each).slice(0, cut);
        const { envelopes, rest } = parseEnvelopes(text);
        assert.ok(text.endsWith(rest));
        const read = text.slice(0, text.length - rest.length);
        assert.equal(parseEnvelopes(read).envelopes.length, envelopes.length);
        assert.equal(parseEnvelopes(read).rest, '');
      }),
      { verbose: 1 },
    );
  });

  const good = renderEnvelope({ name: 'ok', state: 'active', body: 'ja' });
  const malformed = {
    'text before the tag': ` ${good}`,
    'a length beyond the end': good.replace('"2"', '"999999999"'),
    'a length that overflows': good.replace('"2"', `"${'9'.repeat(40)}"`),
    'a negative length': good.replace('"2"', '"-2"'),
    'a length with leading zeros': good.replace('"2"', '"002"'),
    'a length that is too small': good.replace('"2"', '"1"'),
    'a length inside a character': renderEnvelope({ name: 'ok', state: 'active', body: 'é' }).replace('"2"', '"1"'),
    'no close tag': good.replace('</steiner-skill>', ''),
    'an unknown state': good.replace('active', 'asleep'),
    'a name that is not a JSON string': good.replace('"ok"', '"o\\k"'),
    'a name quoted in another way': good.replace('"ok"', '"\\u006fk"'),
    'an unclosed name': good.replace('"ok"', '"ok'),
  };
  for (const [what, text] of Object.entries(malformed)) {
    it(`stops at an envelope with ${what}`, () => {
      assert.deepEqual(parseEnvelopes(text), { envelopes: [], rest: text });
      assert.deepEqual(parseEnvelopes(`${good}\n\n${text}`), {
        envelopes: [{ name: 'ok', state: 'active', body: 'ja' }],
        rest: text,
      });
    });
  }
});
