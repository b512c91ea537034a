import assert from 'node:assert/strict';
import {
  type CompactionFallback,
  FallbackNotFitError,
  fallbackReason,
  fallbackSkipped,
  fallbackUsed,
  isolatedRequest,
} from '../../../src/core/compaction/fallback.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { assistant, brokenRule, call, head, result, user, viewOf } from '../conversation/support.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 11, 1);
const mini = { provider: 'openai' as const, model: 'gpt-6-mini' };

const fallback = (after: number): CompactionFallback => ({ after, resolve: () => Promise.reject(new Error('unused')) });
const idleFor = (ms: number) => ({ at: NOW - ms, model: head.model, cacheKey: 'session' });

describe('fallback: selection', () => {
  it('without a positive time or without a way to resolve a target there is no fallback', () => {
    for (const after of [0, -1, Number.NaN]) assert.equal(fallbackReason(fallback(after), undefined, NOW), undefined);
    assert.equal(fallbackReason({ after: MINUTE }, undefined, NOW), undefined);
    assert.equal(fallbackReason({ after: MINUTE, resolve: undefined }, undefined, NOW), undefined);
  });

  it('a warm cache runs on main: idle time equal to the limit is still warm, one millisecond more is cold', () => {
    assert.equal(fallbackReason(fallback(5 * MINUTE), idleFor(0), NOW), undefined);
    assert.equal(fallbackReason(fallback(5 * MINUTE), idleFor(5 * MINUTE), NOW), undefined);
    assert.notEqual(fallbackReason(fallback(5 * MINUTE), idleFor(5 * MINUTE + 1), NOW), undefined);
  });

  it('the reason is "no recent request" when no main request is known', () => {
    assert.equal(fallbackReason(fallback(5 * MINUTE), undefined, NOW), 'no recent request');
  });

  for (const [idle, after, reason] of [
    [6 * MINUTE, 5 * MINUTE, 'idle 6m > 5m'],
    [75.9 * MINUTE, 5.5 * MINUTE, 'idle 75m > 5m'],
    [5.5 * MINUTE, 5 * MINUTE, 'idle 5m30s > 5m0s'],
    [5 * MINUTE + 1, 5 * MINUTE, 'idle 5m0.001s > 5m0s'],
    [4.9 * MINUTE, 4.5 * MINUTE, 'idle 4m54s > 4m30s'],
    [20_000, 10_000, 'idle 0m20s > 0m10s'],
  ] as const) {
    it(`the reason gives whole minutes, exact durations where those are equal: ${reason}`, () => {
      assert.equal(fallbackReason(fallback(after), idleFor(idle), NOW), reason);
    });
  }
});

describe('fallback: what the outcome records', () => {
  it('an applied summary of the fallback records the model, used and the reason', () => {
    assert.deepEqual(fallbackUsed(mini, 'no recent request'), {
      compactionModel: 'openai/gpt-6-mini',
      fallbackStatus: 'used',
      fallbackReason: 'no recent request',
    });
  });

  it('"context too large for <ref>" stands only for a request that does not fit, any other error for itself', () => {
    assert.deepEqual(fallbackSkipped(new FallbackNotFitError(mini)), {
      fallbackStatus: 'skipped',
      fallbackReason: 'context too large for openai/gpt-6-mini',
    });
    assert.deepEqual(fallbackSkipped(new Error('context too large, says the server')), {
      fallbackStatus: 'skipped',
      fallbackReason: 'fallback failed: context too large, says the server',
    });
    assert.equal(fallbackSkipped('torn').fallbackReason, 'fallback failed: torn');
  });
});

describe('fallback: isolation', () => {
  const view = viewOf([
    user('question'),
    assistant([
      { type: 'thinking', thinking: 'hm', signature: 'sealed' },
      { type: 'redacted_thinking', data: 'hidden' },
      call('c1', { path: 'a.ts' }),
    ]),
    result('c1'),
    user('more'),
  ]);
  const source: ModelRequest = {
    ...projectRequest(view, { maxOutputTokens: 900, thinkingBudget: 2_000, cacheKey: 'session' }),
    breakpoints: [{ at: 'system', block: 0, ttl: '5m' }],
    purpose: 'summary',
    backendState: { id: 'main-transcript' },
  };

  it('the copy goes to the target with the same system, tools and words, without markers, thinking or budget', () => {
    const copy = isolatedRequest(source, mini);
    assert.equal(copy.model, 'gpt-6-mini');
    assert.deepEqual(copy.breakpoints, []);
    assert.equal(copy.thinkingBudget, undefined);
    assert.deepEqual([copy.system, copy.tools, copy.maxOutputTokens], [source.system, source.tools, 900]);
    assert.doesNotMatch(JSON.stringify(copy.messages), /thinking|sealed|hidden/);
    assert.match(JSON.stringify(copy.messages), /question.*a\.ts.*content of c1.*more/s);
    assert.equal(brokenRule(copy.messages), undefined);
  });

  it('the copy carries no backend state, and stays a summary request', () => {
    const copy = isolatedRequest(source, mini);
    assert.equal('backendState' in copy, false);
    assert.equal(copy.purpose, 'summary');
  });

  it('it has a cache key of its own, the same for the same conversation and target', () => {
    const key = isolatedRequest(source, mini).cacheKey;
    assert.notEqual(key, source.cacheKey);
    assert.equal(isolatedRequest(source, mini).cacheKey, key);
    assert.notEqual(isolatedRequest(source, { ...mini, model: 'gpt-6' }).cacheKey, key);
    assert.notEqual(isolatedRequest({ ...source, cacheKey: 'other' }, mini).cacheKey, key);
    assert.ok(key.length <= 64, 'a key that OpenAI takes');
  });

  it('it is a deep copy: a change of it does not reach what main sends', () => {
    const before = structuredClone(source);
    const copy = isolatedRequest(source, mini);
    copy.tools.pop();
    for (const { content } of copy.messages) content.length = 0;
    for (const block of copy.system) block.text = 'changed';
    assert.deepEqual(source, before);
  });
});
