import assert from 'node:assert/strict';
import fc from 'fast-check';
import { summaryMaxTokens } from '../../../src/core/compaction/stages.ts';
import {
  clampUnsetCompletionReserve,
  explicitMaxTokensValue,
  fitCompactionRequest,
  fitRequest,
  lowerToExplicitMaxTokens,
  safetyMarginTokens,
} from '../../../src/core/policy/fit.ts';

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

describe('explicitMaxTokensValue', () => {
  it('takes the request’s own limit, then the extra fields, then the parameters', () => {
    const extraParams = { max_output_tokens: 30, max_completion_tokens: 20 };
    const params = { max_tokens: 40 };
    assert.equal(explicitMaxTokensValue({ explicitMaxTokens: 10, extraParams, params }), 10);
    assert.equal(explicitMaxTokensValue({ extraParams, params }), 20);
    assert.equal(explicitMaxTokensValue({ params }), 40);
    assert.equal(explicitMaxTokensValue({}), undefined);
  });

  it('looks for max_tokens, then max_completion_tokens, then max_output_tokens', () => {
    const all = { max_output_tokens: 3, max_completion_tokens: 2, max_tokens: 1 };
    assert.equal(explicitMaxTokensValue({ params: all }), 1);
    assert.equal(explicitMaxTokensValue({ params: { ...all, max_tokens: undefined } }), 2);
    assert.equal(explicitMaxTokensValue({ params: { max_output_tokens: 3 } }), 3);
  });

  it('passes over what is not positive or no number', () => {
    for (const nothing of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, '8192', null]) {
      assert.equal(explicitMaxTokensValue({ extraParams: { max_tokens: nothing }, params: { max_tokens: 7 } }), 7);
    }
    assert.equal(explicitMaxTokensValue({ explicitMaxTokens: 0, params: { max_tokens: 7 } }), 7);
  });

  it('rules the reserve of a request, wherever it stands', () => {
    const input = { promptTokens: 1_000, contextWindow: 32_768, maxOutputTokens: 8_192 };
    const asked = fitRequest({ ...input, extraParams: { max_completion_tokens: 500 } });
    assert.equal(asked.reservedCompletionTokens, 500);
  });
});

describe('lowerToExplicitMaxTokens', () => {
  it('lowers the reserve to a smaller limit, keeps a smaller reserve, sets an unset one', () => {
    assert.equal(lowerToExplicitMaxTokens(8_192, 500), 500);
    assert.equal(lowerToExplicitMaxTokens(500, 8_192), 500);
    assert.equal(lowerToExplicitMaxTokens(undefined, 8_192), 8_192);
    assert.equal(lowerToExplicitMaxTokens(0, 8_192), 8_192);
  });
});

describe('clampUnsetCompletionReserve', () => {
  it('clamps to the room after prompt and margin, down to the smaller of the reserve and 4,096', () => {
    const clamp = (reserve: number, promptTokens: number) =>
      clampUnsetCompletionReserve(reserve, { promptTokens, contextWindow: 200_000 });
    assert.equal(clamp(32_000, 10_000), 32_000);
    assert.equal(clamp(32_000, 180_000), 18_000);
    assert.equal(clamp(32_000, 197_000), 4_096);
    assert.equal(clamp(1_024, 199_999), 1_024);
  });
});

describe('fitCompactionRequest', () => {
  it('reserves the summary’s cap and is never clamped to the room that is left', () => {
    const input = { contextWindow: 32_768, maxOutputTokens: 8_192, summaryMaxTokens: 6_144 };
    const exact = fitCompactionRequest({ ...input, promptTokens: 26_297 });
    assert.deepEqual([exact.fits, exact.reservedCompletionTokens, exact.totalTokens], [true, 6_144, 32_768]);
    const over = fitCompactionRequest({ ...input, promptTokens: 26_298 });
    assert.deepEqual([over.fits, over.reservedCompletionTokens], [false, 6_144]);
    assert.equal(fitRequest({ ...input, promptTokens: 28_000 }).fits, true, 'a normal request is clamped');
  });

  it('never reserves more than the model can answer', () => {
    const input = { promptTokens: 1, contextWindow: 32_768, maxOutputTokens: 4_096, summaryMaxTokens: 6_144 };
    assert.equal(fitCompactionRequest(input).reservedCompletionTokens, 4_096);
  });
});

describe('summary caps', () => {
  it('are 8% of the window (6,144 to 20,480), in an emergency 4% (3,072 to 10,240)', () => {
    const windows = [8_192, 32_768, 128_000, 200_000, 1_000_000];
    const caps = (stage: 'normal' | 'emergency') => windows.map((window) => summaryMaxTokens(stage, window, 128_000));
    assert.deepEqual(caps('normal'), [6_144, 6_144, 10_240, 16_000, 20_480]);
    assert.deepEqual(caps('emergency'), [3_072, 3_072, 5_120, 8_000, 10_240]);
  });

  it('are never above the model’s longest answer', () => {
    assert.equal(summaryMaxTokens('normal', 200_000, 4_096), 4_096);
    assert.equal(summaryMaxTokens('emergency', 200_000, 4_096), 4_096);
  });
});
