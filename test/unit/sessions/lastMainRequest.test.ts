import assert from 'node:assert/strict';
import type { SessionRecord, UsageRecord } from '../../../src/core/sessions/records.ts';
import { replay } from '../../../src/core/sessions/replay.ts';

const model = { provider: 'anthropic' as const, model: 'claude-sonnet-5-5' };
const call = { model, usage: { input: 10, output: 1 }, rawEstimate: 10 };

/** A call that was stopped has no cache key. */
function stopped(at: number): SessionRecord {
  return { type: 'usage', usage: { ...call, at, kind: 'main' } };
}

function answered(at: number, kind: UsageRecord['kind'] = 'main'): SessionRecord {
  return { type: 'usage', usage: { ...call, at, kind, cacheKey: 's' } };
}

describe('LastMainRequest after a reload', () => {
  it('is the last main call that was answered in full', () => {
    assert.deepEqual(replay([answered(1), answered(2)]).lastMainRequest, { at: 2, model, cacheKey: 's' });
  });

  it('summary calls and stopped calls do not set it', () => {
    assert.equal(replay([answered(1), answered(2, 'summary'), stopped(3)]).lastMainRequest?.at, 1);
  });

  it('is unknown in a session without a main call', () => {
    assert.equal(replay([]).lastMainRequest, undefined);
    assert.equal(replay([answered(1, 'summary')]).lastMainRequest, undefined);
  });
});
