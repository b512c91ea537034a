// What the chat shows of a compaction's fallback model and of a session's health.
import assert from 'node:assert/strict';
import { sessionHealth } from '../../../src/core/compaction/escalation.ts';
import type { FallbackOutcome, Receipt } from '../../../src/core/conversation/generation.ts';
import { Transcript } from '../../../src/host/chat/transcript.ts';
import { chatItem } from '../../../src/protocol.ts';
import { generation } from '../conversation/support.ts';

const transcript = () => new Transcript({ titleOf: () => '', now: () => 1 });
const sound = { promptTokens: 1, hardLimitTokens: 100 };

function summaryGeneration(summaryModel: Receipt['summaryModel'], fallback?: FallbackOutcome) {
  const receipt: Receipt = {
    stage: 'normal',
    trigger: 'soft',
    tokensBefore: 30_000,
    tokensAfter: 9_000,
    summarizedMessages: 12,
    retainedMessages: 4,
    summaryModel,
    ...(fallback ? { fallback } : {}),
  };
  return generation({ id: 2, kind: 'summary', summary: 'S.', receipt });
}

describe('compaction marker', () => {
  const used = summaryGeneration(
    { provider: 'openai', model: 'gpt-6-mini' },
    { fallbackStatus: 'used', fallbackReason: 'idle 7m > 5m', compactionModel: 'openai/gpt-6-mini' },
  );

  for (const [what, show] of [
    ['when it happens', (chat: Transcript) => chat.apply({ type: 'generation', generation: used })],
    ['after a reload', (chat: Transcript) => chat.load([used])],
  ] as const) {
    it(`names the fallback model and the reason, ${what}`, () => {
      const chat = transcript();
      show(chat);
      const item = chatItem.parse(chat.items[0]);
      assert.equal(item.kind, 'compaction');
      assert.equal(item.summaryModel, 'Summary by the fallback model openai/gpt-6-mini: idle 7m > 5m.');
    });
  }

  it('names main and why the fallback was skipped', () => {
    const chat = transcript();
    const skipped = { fallbackStatus: 'skipped', fallbackReason: 'fallback failed: it is overloaded.' } as const;
    chat.load([summaryGeneration({ provider: 'anthropic', model: 'claude-sonnet-5-5' }, skipped)]);
    const [item] = chat.items;
    assert.equal(
      item?.kind === 'compaction' && item.summaryModel,
      'Summary by anthropic/claude-sonnet-5-5; the fallback model was skipped: fallback failed: it is overloaded.',
    );
  });

  it('says why the planner made it, what it kept, and the expected price', () => {
    const chat = transcript();
    const made = summaryGeneration({ provider: 'anthropic', model: 'claude-sonnet-5-5' });
    const planned = { policy: 'balanced', reason: 'rent', priceTokens: 45_000, files: ['/w/a.ts', '/w/b.ts'] } as const;
    const receipt = made.receipt && { ...made.receipt, planned: { ...planned, files: [...planned.files] } };
    chat.load([{ ...made, ...(receipt ? { receipt } : {}) }]);
    const item = chatItem.parse(chat.items[0]);
    assert.equal(
      item.kind === 'compaction' && item.reason,
      'Policy balanced: carrying the old text on had cost more than dropping it. 12 messages summarized, 4 kept, texts of 2 files carried over. Expected price: that of 45,000 uncached input tokens.',
    );
  });

  it('names no model when no fallback was chosen', () => {
    const chat = transcript();
    chat.load([summaryGeneration({ provider: 'anthropic', model: 'claude-sonnet-5-5' })]);
    assert.ok(chat.items[0] && !('summaryModel' in chat.items[0]));
  });
});

describe('session health in the chat', () => {
  for (const [count, severity] of [
    [1, undefined],
    [2, 'warning'],
    [3, 'error'],
  ] as const) {
    it(`${count} stages: ${severity === undefined ? 'no notice' : `a notice of severity ${severity} with advice`}`, () => {
      const chat = transcript();
      const health = sessionHealth(count, sound);
      chat.apply({ type: 'session_health', ...health });
      const [item] = chat.items;
      if (severity === undefined) {
        assert.equal(item, undefined);
        return;
      }
      assert.ok(item?.kind === 'notice');
      assert.deepEqual([item.severity, item.advice], [severity, health.guidance]);
      assert.match(item.message, new RegExp(`${count} stages`));
    });
  }
});
