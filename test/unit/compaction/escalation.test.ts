import assert from 'node:assert/strict';
import { sessionHealth } from '../../../src/core/compaction/escalation.ts';

const fitting = { promptTokens: 50_000, hardLimitTokens: 100_000 };
const fragile = { promptTokens: 120_000, hardLimitTokens: 100_000 };

describe('escalation', () => {
  for (const [count, size, severity, state] of [
    [0, fitting, 'info', 'stable'],
    [1, fitting, 'info', 'stable'],
    [1, fragile, 'warning', 'fragile'],
    [2, fitting, 'warning', 'fragile'],
    [2, fragile, 'critical', 'likely_lossy'],
    [3, fitting, 'critical', 'likely_lossy'],
    [3, fragile, 'critical', 'likely_lossy'],
    [9, fitting, 'critical', 'likely_lossy'],
  ] as const) {
    it(`${count} stages, ${size === fragile ? 'a fragile' : 'a sound'} budget: ${severity}/${state}`, () => {
      const health = sessionHealth(count, size);
      assert.deepEqual([health.severity, health.sessionState, health.compactionCount], [severity, state, count]);
    });
  }

  it('a budget is fragile from exactly 20% above the hard limit', () => {
    const at = (promptTokens: number) => sessionHealth(1, { promptTokens, hardLimitTokens: 100_000 }).sessionState;
    assert.deepEqual([at(100_001), at(119_999), at(120_000)], ['stable', 'stable', 'fragile']);
  });

  it('each state has its own advice: go on, restart soon, restart now', () => {
    const advice = [1, 2, 3].map((count) => sessionHealth(count, fitting).guidance);
    assert.match(advice[0] ?? '', /^Go on/);
    assert.match(advice[1] ?? '', /new session soon/);
    assert.match(advice[2] ?? '', /new session now/);
  });
});
