import assert from 'node:assert/strict';
import fc from 'fast-check';
import { modeNotice, splitModeNotice } from '../../../src/core/prompt/modeNotice.ts';

const text = (mode: 'build' | 'plan') => {
  const part = modeNotice(mode);
  assert.ok(part.kind === 'mode_notice' && part.mode === mode);
  return part.text;
};

describe('mode notice', () => {
  it('says which mode holds', () => {
    assert.match(text('plan'), /plan/i);
    assert.match(text('build'), /build/i);
    assert.notEqual(text('plan'), text('build'));
  });

  it('is taken off a message again, the rest byte for byte', () => {
    fc.assert(
      fc.property(fc.constantFrom('build' as const, 'plan' as const), fc.string({ unit: 'binary' }), (mode, rest) => {
        assert.deepEqual(splitModeNotice(`${text(mode)}\n\n${rest}`), { mode, rest });
        // A notice inside the rest is the user's own text.
        assert.deepEqual(
          splitModeNotice(`${text(mode)}\n\n${text('plan')}\n\n${rest}`).rest,
          `${text('plan')}\n\n${rest}`,
        );
      }),
      { verbose: 1 },
    );
  });

  it('only counts when it is exactly one of ours, at the start, before an empty line', () => {
    for (const alike of [
      ` ${text('plan')}\n\nx`,
      `${text('plan')}\nx`,
      text('plan'),
      `${text('plan')} \n\nx`,
      'Mode: plan.\n\nx',
    ]) {
      assert.deepEqual(splitModeNotice(alike), { mode: undefined, rest: alike });
    }
  });
});
