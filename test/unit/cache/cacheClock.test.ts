import assert from 'node:assert/strict';
import { isCacheCold, matchingMainRequest } from '../../../src/core/cache/cacheClock.ts';

const model = { provider: 'anthropic' as const, model: 'claude-sonnet-5-5' };
const last = { at: 1_000, model, cacheKey: 'session' };

describe('cache clock', () => {
  it('is cold without a main request, and when the idle time is greater than the limit', () => {
    assert.equal(isCacheCold(undefined, 1_000, 500), true);
    assert.equal(isCacheCold(last, 1_500, 500), false);
    assert.equal(isCacheCold(last, 1_501, 500), true);
  });

  it('LastMainRequest is kept only if provider, model and cache key all match', () => {
    assert.equal(matchingMainRequest(last, { ...model }, 'session'), last);
    assert.equal(matchingMainRequest(last, { ...model, provider: 'openai' }, 'session'), undefined);
    assert.equal(matchingMainRequest(last, { ...model, model: 'claude-haiku-5-5' }, 'session'), undefined);
    assert.equal(matchingMainRequest(last, model, 'other'), undefined);
    assert.equal(matchingMainRequest(undefined, model, 'session'), undefined);
  });
});
