import assert from 'node:assert/strict';
import {
  afterCompaction,
  afterResponse,
  type ParentUsage,
  reachesCap,
  softTriggerTokens,
  statefulPlan,
  usageFor,
} from '../../../src/core/policy/statefulTrigger.ts';

const model = { provider: 'openai' as const, model: 'keeps-transcripts' };
const other = { provider: 'openai' as const, model: 'another' };
/** 10% are 10,000 tokens. */
const limits = { model, contextWindow: 100_000, softThreshold: 70_000 };
const running = { capReached: false, fits: true };

/** The usage after these reports, the first one right after a compaction. */
const compactedThen = (...reports: number[]): ParentUsage =>
  reports.reduce((usage, tokens) => afterResponse(usage, tokens, limits), afterCompaction(limits));

describe('stateful trigger: reported usage', () => {
  for (const [reported, kind] of [
    [undefined, 'send'],
    [0, 'send'],
    [69_999, 'send'],
    [70_000, 'compact'],
    [89_999, 'compact'],
    [100_000, 'compact'],
  ] as const) {
    it(`is compared with the soft threshold: ${reported}`, () => {
      const usage = reported === undefined ? undefined : afterResponse(undefined, reported, limits);
      assert.equal(statefulPlan(usage, running, limits).kind, kind);
    });
  }

  it('the set number of tokens takes the place of the share of the window', () => {
    const usage = afterResponse(undefined, 40_000, { ...limits, softThreshold: 40_000 });
    assert.deepEqual(statefulPlan(usage, running, { ...limits, softThreshold: 40_000 }), {
      kind: 'compact',
      trigger: 'soft',
    });
  });

  it('a transcript that could not go out whole is compacted, whatever was reported', () => {
    for (const usage of [undefined, afterResponse(undefined, 10, limits)]) {
      assert.deepEqual(statefulPlan(usage, { ...running, fits: false }, limits), { kind: 'compact', trigger: 'hard' });
    }
  });

  it('is dropped when model or window differs, and its floor with it', () => {
    const usage = compactedThen(75_000, 80_000);
    assert.equal(usageFor(usage, limits), usage);
    for (const change of [{ model: other }, { contextWindow: 99_999 }, { contextWindow: 200_000 }]) {
      const changed = { ...limits, ...change };
      assert.equal(usageFor(usage, changed), undefined);
      assert.equal(softTriggerTokens(usage, changed), 70_000);
      assert.equal(statefulPlan(usage, running, changed).kind, 'send');
      assert.equal(afterResponse(usage, 76_000, changed).floor, undefined);
    }
  });
});

describe('stateful trigger: the floor', () => {
  for (const [first, floor, trigger] of [
    [10_000, undefined, 70_000],
    [69_999, undefined, 70_000],
    [70_000, 70_000, 80_000],
    [75_500, 75_500, 85_500],
    [80_000, 80_000, 90_000],
    [85_000, 85_000, 90_000],
    [89_999, 89_999, 90_000],
    [90_000, undefined, 70_000],
    [99_000, undefined, 70_000],
  ] as const) {
    it(`the first usage after a compaction, ${first}, ${floor ? 'arms it' : 'does not arm it'}; due at ${trigger}`, () => {
      const usage = compactedThen(first);
      assert.equal(usage.floor, floor);
      assert.equal(softTriggerTokens(usage, limits), trigger);
    });
  }

  it('stays while usage rises, and the next compaction waits for floor plus 10%', () => {
    assert.equal(statefulPlan(compactedThen(72_000), running, limits).kind, 'send');
    assert.equal(statefulPlan(compactedThen(72_000, 81_999), running, limits).kind, 'send');
    assert.equal(statefulPlan(compactedThen(72_000, 75_000, 82_000), running, limits).kind, 'compact');
  });

  it('is armed by the first usage only, and only after a compaction', () => {
    assert.equal(compactedThen(60_000, 75_000).floor, undefined);
    assert.equal(compactedThen(72_000, 79_000).floor, 72_000);
    assert.equal(afterResponse(undefined, 75_000, limits).floor, undefined);
  });

  it('is gone with the next compaction, and so is the usage before it', () => {
    const usage = afterCompaction(limits);
    assert.deepEqual([usage.floor, usage.promptTokens], [undefined, undefined]);
    assert.equal(statefulPlan(usage, running, limits).kind, 'send');
  });
});

describe('stateful trigger: the cap', () => {
  it('is 90% of the window', () => {
    assert.deepEqual(
      [89_999, 90_000, 90_001].map((tokens) => reachesCap(tokens, 100_000)),
      [false, true, true],
    );
    assert.deepEqual(
      [8_999, 9_000].map((tokens) => reachesCap(tokens, 10_000)),
      [false, true],
    );
  });

  it('a marked run is stopped, before anything else is asked', () => {
    for (const fits of [true, false]) {
      for (const usage of [undefined, compactedThen(95_000), compactedThen(72_000, 95_000)]) {
        assert.deepEqual(statefulPlan(usage, { capReached: true, fits }, limits), { kind: 'stop' });
      }
    }
  });

  it('a run that begins above it, with the usage of the run before, is compacted', () => {
    assert.equal(statefulPlan(compactedThen(72_000, 95_000), running, limits).kind, 'compact');
  });
});
