import assert from 'node:assert/strict';
import { fixedPolicy, softThreshold } from '../../../src/core/policy/fixed.ts';

describe('fixed policy', () => {
  const state = { promptTokens: 0, contextWindow: 200_000, softThreshold: 140_000, fits: true };

  it('is due at 70% of the window', () => {
    const thresholds = [8_192, 32_768, 128_000, 200_000, 1_000_000].map((window) => softThreshold(window));
    assert.deepEqual(thresholds, [5_734, 22_937, 89_600, 140_000, 700_000]);
  });

  it('prefers the set number of tokens, as long as it lies below the window', () => {
    assert.equal(softThreshold(200_000, 50_000), 50_000);
    assert.equal(softThreshold(32_768, 50_000), 22_937);
    assert.equal(softThreshold(32_768, 32_768), 22_937);
    assert.equal(softThreshold(32_768, 0), 22_937);
  });

  it('sends below the threshold and compacts from it on', () => {
    assert.deepEqual(fixedPolicy.decide({ ...state, promptTokens: 139_999 }), { kind: 'send' });
    assert.deepEqual(fixedPolicy.decide({ ...state, promptTokens: 140_000 }), { kind: 'compact', trigger: 'soft' });
  });

  it('names the hard trigger when the request does not fit, whatever the threshold says', () => {
    assert.deepEqual(fixedPolicy.decide({ ...state, fits: false }), { kind: 'compact', trigger: 'hard' });
    const above = { ...state, promptTokens: 199_000, fits: false };
    assert.deepEqual(fixedPolicy.decide(above), { kind: 'compact', trigger: 'hard' });
  });
});
