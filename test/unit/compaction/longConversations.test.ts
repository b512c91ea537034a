// Work that grows with the square of the length shows itself here; the bounds leave room for a busy machine.
import assert from 'node:assert/strict';
import { compact } from '../../../src/core/compaction/compact.ts';
import { retain } from '../../../src/core/compaction/retention.ts';
import type { Message } from '../../../src/core/conversation/message.ts';
import { requestTokens } from '../../../src/core/tokens/estimate.ts';
import { o200k } from '../../../src/core/tokens/o200k.ts';
import { conversation, head } from '../../bench/core/longConversation.ts';
import { generation, lineageOf, user } from '../conversation/support.ts';
import { applied, inputFor, step } from './support.ts';

describe('compaction of long conversations', () => {
  before(() => o200k.load());

  it('what is retained of 80,000 messages of one turn is found in under a second', () => {
    const steers = Array.from({ length: 80_000 }, (_, index) => user(`steer ${index}`));
    const messages: Message[] = [...steers, ...['a', 'b', 'c'].flatMap((id) => step(id, 10))];
    const from = performance.now();
    const retention = retain(messages, 'normal', () => true);
    const ms = performance.now() - from;
    assert.deepEqual(retention?.dropped, []);
    assert.equal(retention?.retained.length, messages.length);
    assert.ok(ms < 1_000, `${ms} ms`);
  });

  for (const [name, contextWindow] of [
    ['in one request', 10_000_000],
    ['piece by piece', 100_000],
  ] as const) {
    it(`10,000 messages are compacted ${name} in under 3 seconds`, async () => {
      const lineage = lineageOf(conversation(10_000), generation({ head }));
      const { input, requests } = inputFor(lineage.view(), {
        former: lineage.former(),
        budget: { contextWindow, maxOutputTokens: 32_000 },
        softThreshold: 70_000,
        estimate: (request) => requestTokens(request, head.model),
      });
      const from = performance.now();
      const { receipt } = applied(await compact(input)).generations.at(-1) ?? {};
      const ms = performance.now() - from;
      assert.equal(receipt?.summarizedMessages, 10_000 - (receipt?.retainedMessages ?? 0));
      assert.equal(requests.length > 1, contextWindow === 100_000);
      assert.ok(ms < 3_000, `${ms} ms`);
    });
  }
});
