import assert from 'node:assert/strict';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { Calibration, type RawEstimate } from '../../../src/core/tokens/calibration.ts';

const model: ModelRef = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
const other: ModelRef = { provider: 'openai', model: 'claude-sonnet-4-5' };

describe('calibration', () => {
  it('is set by the first sample and moved a quarter of the way by each later one, per model', () => {
    const calibration = new Calibration();
    assert.deepEqual([calibration.apply(model, 1_000), calibration.samples(model)], [1_000, 0]);
    calibration.observe(model, 1_000, 1_400);
    assert.equal(calibration.factor(model), 1.4);
    calibration.observe({ ...model, model: ' claude-sonnet-4-5 ' }, 1_000, 1_000);
    assert.equal(calibration.factor(model).toFixed(6), '1.300000');
    assert.deepEqual([calibration.apply(model, 1_001), calibration.samples(model)], [1_301, 2]);
    assert.equal(calibration.factor(other), 1);
  });

  it('ignores samples that say nothing, and bounds absurd ones', () => {
    const calibration = new Calibration();
    for (const [raw, reported] of [
      [0, 10],
      [10, 0],
      [-1, 5],
      [10, Number.NaN],
      [Number.POSITIVE_INFINITY, 5],
    ] as const) {
      calibration.observe(model, raw, reported);
    }
    assert.equal(calibration.samples(model), 0);
    calibration.observe(model, 10, 1_000);
    assert.equal(calibration.factor(model), 2.5);
    calibration.observe(other, 1_000, 1);
    assert.equal(calibration.factor(other), 0.4);
  });

  it('never makes something out of nothing, nor nothing out of something', () => {
    const calibration = new Calibration();
    calibration.observe(model, 1_000, 400);
    assert.deepEqual([calibration.apply(model, 0), calibration.apply(model, 1)], [0, 1]);
  });

  it('leaves an estimate as it is until the provider has reported once', () => {
    const estimate: RawEstimate = { rawTokens: 1_000, strategy: 'claude', confidence: 'low' };
    const calibrated = new Calibration().calibrate(model, estimate);
    assert.deepEqual(calibrated, { tokens: 1_000, rawTokens: 1_000, strategy: 'claude', confidence: 'low' });
  });

  it('names provider_usage from the first sample on: confidence medium for one or two, high from three', () => {
    const calibration = new Calibration();
    const estimate: RawEstimate = { rawTokens: 1_000, strategy: 'claude', confidence: 'low' };
    const seen = [1, 2, 3, 4].map(() => {
      calibration.observe(model, 1_000, 1_200);
      const { strategy, confidence } = calibration.calibrate(model, estimate);
      return `${strategy} ${confidence}`;
    });
    assert.deepEqual(seen, [
      'provider_usage medium',
      'provider_usage medium',
      'provider_usage high',
      'provider_usage high',
    ]);
  });

  it('scales whichever base estimate is selected and keeps the raw one apart', () => {
    const calibration = new Calibration();
    calibration.observe(model, 1_000, 1_200);
    for (const strategy of ['tokenizer', 'claude', 'statistics'] as const) {
      const { tokens, rawTokens } = calibration.calibrate(model, { rawTokens: 500, strategy, confidence: 'low' });
      assert.deepEqual([tokens, rawTokens], [600, 500], strategy);
    }
  });

  it('is kept per model line: a date or -latest names the same model, another version does not', () => {
    const calibration = new Calibration();
    calibration.observe({ ...model, model: 'claude-sonnet-4-5-20250929' }, 1_000, 1_300);
    assert.equal(calibration.factor(model), 1.3);
    assert.equal(calibration.factor({ ...model, model: 'claude-sonnet-4-5-latest' }), 1.3);
    assert.equal(calibration.factor({ ...model, model: 'claude-sonnet-4-6' }), 1);
    assert.equal(calibration.factor({ ...model, model: 'claude-sonnet-4' }), 1);
  });

  it('is within 3% after three calls on a repeated mix of content, however far off the raw estimate is', () => {
    for (const bias of [0.45, 0.7, 0.9, 1.1, 1.3, 2.4]) {
      const calibration = new Calibration();
      // The prompt grows by the same mix; what a call adds deviates by up to 6% to either side.
      let raw = 0;
      let truth = 0;
      for (const deviation of [1.06, 0.94, 1.03]) {
        raw += 10_000;
        truth += 10_000 * bias * deviation;
        calibration.observe(model, raw, truth);
      }
      const error = calibration.apply(model, raw + 10_000) / (truth + 10_000 * bias) - 1;
      assert.ok(Math.abs(error) <= 0.03, `bias ${bias}: ${(error * 100).toFixed(2)}%`);
    }
  });

  it('survives a reload, and a damaged store', () => {
    const calibration = new Calibration();
    calibration.observe(model, 1_000, 1_250);
    calibration.observe(model, 1_000, 1_250);
    const stored = JSON.parse(JSON.stringify(calibration));
    const reloaded = new Calibration(stored);
    assert.deepEqual([reloaded.factor(model), reloaded.samples(model)], [1.25, 2]);
    const damaged = new Calibration({ ...stored, 'openai/x': { factor: Number.NaN, samples: 3 } });
    assert.equal(damaged.factor({ provider: 'openai', model: 'x' }), 1);
    assert.equal(damaged.factor(model), 1.25);
  });
});
