import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitRequest, safetyMarginTokens } from '../../../src/core/policy/fit.ts';

describe('fitRequest', () => {
  it('keeps a safety margin of 1% of the window, at least 256 and at most 2,048 tokens', () => {
    const margins = [8_192, 32_768, 128_000, 200_000, 1_000_000].map(safetyMarginTokens);
    assert.deepEqual(margins, [256, 327, 1_280, 2_000, 2_048]);
  });

  it('gives the answer its full length while there is room, then what is left, then the default', () => {
    const reserve = (promptTokens: number, maxOutputTokens = 32_000) =>
      fitRequest({ promptTokens, contextWindow: 200_000, maxOutputTokens }).reservedCompletionTokens;
    assert.equal(reserve(100_000), 32_000);
    assert.equal(reserve(166_000), 32_000);
    assert.equal(reserve(166_001), 31_999);
    assert.equal(reserve(193_904), 4_096);
    assert.equal(reserve(197_999), 4_096);
    assert.equal(reserve(197_999, 1_000), 1_000);
  });

  it('fits up to the last token', () => {
    const input = { contextWindow: 200_000, maxOutputTokens: 32_000 };
    assert.deepEqual(fitRequest({ ...input, promptTokens: 193_904 }), {
      fits: true,
      reservedCompletionTokens: 4_096,
      safetyMarginTokens: 2_000,
      totalTokens: 200_000,
    });
    assert.equal(fitRequest({ ...input, promptTokens: 193_905 }).fits, false);
  });

  it('does not shorten a limit that was asked for, and never goes above the model’s own', () => {
    const input = { contextWindow: 32_768, maxOutputTokens: 8_192 };
    const asked = fitRequest({ ...input, promptTokens: 26_298, explicitMaxTokens: 6_144 });
    assert.equal(asked.reservedCompletionTokens, 6_144);
    assert.equal(asked.totalTokens, 32_769);
    assert.equal(asked.fits, false);
    assert.equal(fitRequest({ ...input, promptTokens: 26_297, explicitMaxTokens: 6_144 }).fits, true);
    assert.equal(fitRequest({ ...input, promptTokens: 1, explicitMaxTokens: 9_000 }).reservedCompletionTokens, 8_192);
  });

  it('invariant 9: what fits leaves room for the reserve and the margin', () => {
    const tokens = fc.integer({ min: 1, max: 1_200_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, fc.option(tokens, { nil: undefined }), (prompt, window, output, explicit) => {
        const fit = fitRequest({
          promptTokens: prompt,
          contextWindow: window,
          maxOutputTokens: output,
          ...(explicit === undefined ? {} : { explicitMaxTokens: explicit }),
        });
        assert.ok(fit.reservedCompletionTokens > 0 && fit.reservedCompletionTokens <= output);
        assert.equal(fit.fits, prompt + fit.reservedCompletionTokens + safetyMarginTokens(window) <= window);
      }),
    );
  });
});
