import assert from 'node:assert/strict';
import { compactionPrice, plannerPolicy } from '../../../src/core/policy/planner.ts';
import type { PlannerName, PolicyState } from '../../../src/core/policy/policy.ts';
import { usualPrices } from '../../../src/core/policy/relativePrices.ts';

/** Price of a compaction, by hand: 0.1 x 100,000 + 5 x 2,000 + 1.25 x 20,000 = 45,000. */
const state: PolicyState = {
  promptTokens: 100_000,
  contextWindow: 200_000,
  softThreshold: 140_000,
  fits: true,
  atUserMessage: true,
  remainingTokens: 20_000,
  excessTokens: 0,
  prices: usualPrices('explicit'),
};

describe('planner', () => {
  it('prices a compaction: prompt read, summary written, the rest written to the cache', () => {
    assert.equal(compactionPrice(state), 45_000);
    // 0.1 x 100,000 + 8 x 2,000 + 1 x 20,000
    assert.equal(compactionPrice({ ...state, prices: usualPrices('automatic') }), 46_000);
    // 1 x 100,000 + 5 x 2,000 + 1 x 20,000
    assert.equal(compactionPrice({ ...state, prices: usualPrices('none') }), 130_000);
  });

  // Rent is 0.1 x excess, and it is due at k x 45,000: at an excess of k x 450,000.
  const rows: [PlannerName, boolean, number][] = [
    ['economy', true, 900_000],
    ['economy', false, 7_200_000],
    ['balanced', true, 1_800_000],
    ['balanced', false, 14_400_000],
    ['recall', true, 7_200_000],
    ['recall', false, 28_800_000],
  ];
  for (const [name, atUserMessage, due] of rows) {
    it(`${name} ${atUserMessage ? 'at a user message' : 'inside a tool loop'}: due at an excess of ${due}`, () => {
      const { decide } = plannerPolicy(name);
      assert.deepEqual(decide({ ...state, atUserMessage, excessTokens: due - 10 }), { kind: 'send' });
      assert.deepEqual(decide({ ...state, atUserMessage, excessTokens: due }), {
        kind: 'compact',
        trigger: 'soft',
        cut: 'maximal',
        reason: 'rent',
        priceTokens: 45_000,
      });
    });
  }

  it('gives up no text for less than 10,000 tokens, however high the rent', () => {
    const { decide } = plannerPolicy('economy');
    const excessTokens = 1e9;
    assert.equal(decide({ ...state, remainingTokens: 90_001, excessTokens }).kind, 'send');
    assert.equal(decide({ ...state, remainingTokens: 90_000, excessTokens }).kind, 'compact');
  });

  it('compacts at the threshold and where nothing fits without any rent', () => {
    const { decide } = plannerPolicy('recall');
    const at = { ...state, promptTokens: 140_000 };
    assert.deepEqual(decide(at), {
      kind: 'compact',
      trigger: 'soft',
      cut: 'maximal',
      reason: 'threshold',
      // 14,000 + 10,000 + 25,000
      priceTokens: 49_000,
    });
    assert.equal(decide({ ...at, promptTokens: 139_999 }).kind, 'send');
    const full = decide({ ...state, fits: false });
    assert.ok(full.kind === 'compact' && full.trigger === 'hard' && full.reason === 'window');
  });

  it('takes below 0.1 ms', () => {
    const { decide } = plannerPolicy('balanced');
    const start = performance.now();
    for (let count = 0; count < 10_000; count++) decide({ ...state, excessTokens: count });
    assert.ok((performance.now() - start) / 10_000 < 0.1);
  });
});
