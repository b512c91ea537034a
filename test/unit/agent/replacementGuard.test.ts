import assert from 'node:assert/strict';
import { replacementRefusal } from '../../../src/core/agent/replacementGuard.ts';

const still = { admissions: 0, busy: false, runningSubAgents: 0 };

describe('replacement guard', () => {
  it('a conversation at rest may be replaced', () => {
    assert.equal(replacementRefusal(still), undefined);
  });

  for (const [what, change, reason] of [
    ['the driver is busy', { busy: true }, /still working/],
    ['admissions exist', { admissions: 1 }, /not taken up/],
    ['a sub-agent runs', { runningSubAgents: 1 }, /^A sub-agent .* is still running/],
    ['sub-agents run', { runningSubAgents: 3 }, /^3 sub-agents .* are still running/],
  ] as const) {
    it(`replacement is refused while ${what}, with the reason`, () => {
      assert.match(replacementRefusal({ ...still, ...change }) ?? '', reason);
    });
  }
});
