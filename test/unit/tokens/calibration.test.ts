import assert from 'node:assert/strict';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { Calibration } from '../../../src/core/tokens/calibration.ts';

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
