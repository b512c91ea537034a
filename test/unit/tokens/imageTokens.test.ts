import assert from 'node:assert/strict';
import { imageTokens } from '../../../src/core/tokens/imageTokens.ts';

describe('images', () => {
  it('A15: count by their pixels, 750 a token and 85 for each image', () => {
    assert.equal(imageTokens({ width: 100, height: 100 }), 13 + 85);
    assert.equal(imageTokens({ width: 4_000, height: 3_000 }), 16_000 + 85);
  });

  it('of unknown size count by their bytes, four a token', () => {
    assert.equal(imageTokens({ bytes: 40_003 }), 10_000 + 85);
    assert.equal(imageTokens({ bytes: 0 }), 85);
  });
});
