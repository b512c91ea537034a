import assert from 'node:assert/strict';
import { utf8Length } from '../../../src/core/platform/text.ts';
import { capSkillText } from '../../../src/core/skills/cap.ts';

const MARKER = '[truncated: skill exceeded the 106496-byte cap]';

describe('skill cap', () => {
  it('leaves a text of exactly the cap alone', () => {
    const text = 'x'.repeat(106_496);
    assert.deepEqual(capSkillText(text), { text, truncated: false });
  });

  for (const character of ['📁', '漢', 'é']) {
    it(`A17: does not split ${character} at the cap`, () => {
      for (let missing = 1; missing < utf8Length(character); missing++) {
        const kept = 'x'.repeat(106_496 - missing);
        assert.deepEqual(capSkillText(`${kept}${character}tail`), { text: `${kept}\n${MARKER}`, truncated: true });
      }
      const fits = 'x'.repeat(106_496 - utf8Length(character)) + character;
      assert.equal(capSkillText(`${fits}tail`).text, `${fits}\n${MARKER}`);
    });
  }
});
