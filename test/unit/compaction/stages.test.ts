import assert from 'node:assert/strict';
import { chunksOf } from '../../../src/core/compaction/chunks.ts';
import { earlierMessagesCap } from '../../../src/core/compaction/earlierMessages.ts';
import { retain } from '../../../src/core/compaction/retention.ts';
import { summaryMaxTokens } from '../../../src/core/compaction/stages.ts';
import type { Message } from '../../../src/core/conversation/message.ts';
import { assistant, call, result, says, user } from '../conversation/support.ts';
import { step } from './support.ts';

describe('summary caps', () => {
  const windows = [8_192, 32_768, 128_000, 200_000, 1_000_000];

  it('are 8% of the window for the normal stage, 4% for the emergency, within their limits', () => {
    const caps = (stage: 'normal' | 'emergency') => windows.map((window) => summaryMaxTokens(stage, window, 64_000));
    assert.deepEqual(caps('normal'), [6_144, 6_144, 10_240, 16_000, 20_480]);
    assert.deepEqual(caps('emergency'), [3_072, 3_072, 5_120, 8_000, 10_240]);
  });

  it('never exceed what the model can answer', () => {
    assert.equal(summaryMaxTokens('normal', 8_192, 4_096), 4_096);
    assert.equal(summaryMaxTokens('emergency', 1_000_000, 4_096), 4_096);
  });

  it('earlier user messages get 12% of the window, at most 24,000 tokens', () => {
    assert.deepEqual(windows.map(earlierMessagesCap), [983, 3_932, 15_360, 24_000, 24_000]);
  });
});

describe('chunksOf', () => {
  it('starts a chunk at a user message, and at an assistant message when the chunk has one', () => {
    const [u1, a1, r1, a2, u2, u3, a3] = [
      user('1'),
      assistant([call('a')]),
      result('a'),
      says('2'),
      user('2'),
      user('3'),
      says('3'),
    ];
    assert.deepEqual(chunksOf([u1, a1, r1, a2, u2, u3, a3]), [[u1, a1, r1], [a2], [u2], [u3, a3]]);
    assert.deepEqual(chunksOf([]), []);
  });

  it('never tears a call from its result, also when a user message was recorded between them', () => {
    const messages = [assistant([call('a'), call('b')]), result('b'), user('a steer'), result('a'), says('next')];
    assert.deepEqual(chunksOf(messages), [messages.slice(0, 4), messages.slice(4)]);
  });
});

describe('retain', () => {
  const always = () => true;
  const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
  const turn1 = [user('one', 1), says('done one', 1)];
  const opening = user('two', 2);
  const steps = Array.from({ length: 6 }, (_, index) => step(`s${index}`, 1, 2));

  it('keeps three chunks in the normal stage and one in the emergency', () => {
    const messages = [...turn1, ...steps.flat()];
    assert.deepEqual(
      ids(retain(messages, 'emergency', always)?.source ?? []),
      ids([...turn1, ...steps.slice(0, 5).flat()]),
    );
    const normal = retain([user('zero', 2), ...messages.slice(1)], 'normal', always);
    assert.equal(normal?.source.length, messages.length - 6);
  });

  it('moves the normal cut back to the latest real user message when that fits', () => {
    const messages = [...turn1, opening, ...steps.flat()];
    const retention = retain(messages, 'normal', always);
    assert.deepEqual(ids(retention?.retained ?? []), ids([opening, ...steps.flat()]));
    assert.deepEqual(ids(retention?.dropped ?? []), ids(turn1));
  });

  it('leaves the cut where it is when the longer tail would not fit or nothing would be left to summarise', () => {
    const messages = [...turn1, opening, ...steps.flat()];
    const tight = retain(messages, 'normal', (kept) => kept.length <= 7);
    assert.deepEqual(ids(tight?.retained ?? []), ids([opening, ...steps.slice(3).flat()]));
    const onlyTurn = [opening, ...steps.flat()];
    assert.deepEqual(
      ids(retain(onlyTurn, 'normal', always)?.source ?? []),
      ids([opening, ...steps.slice(0, 3).flat()]),
    );
  });

  it('does not anchor in the emergency stage', () => {
    const retention = retain([...turn1, opening, ...steps.flat()], 'emergency', always);
    assert.deepEqual(ids(retention?.source ?? []), ids([...turn1, opening, ...steps.slice(0, 5).flat()]));
  });

  it('A9: keeps the active request as a message of its own when the cut cannot move back to it', () => {
    const steer = user('and this', 2);
    const messages = [...turn1, opening, ...steps.slice(0, 3).flat(), steer, ...steps.slice(3).flat()];
    for (const stage of ['normal', 'emergency'] as const) {
      // Whole step results fit only up to three at a time.
      const fits = (kept: readonly Message[]) => kept.filter(({ role }) => role === 'tool').length <= 3;
      const retention = retain(messages, stage, fits);
      const tail = stage === 'normal' ? [steer, ...steps.slice(3).flat()] : [steer, ...(steps[5] ?? [])];
      assert.deepEqual(ids(retention?.retained ?? []), ids([opening, ...tail]));
      assert.ok(retention?.source.includes(opening), 'the summary still covers it');
      assert.ok(!retention?.dropped.includes(opening));
    }
  });

  it('gives up words of the active request, the oldest first, before it gives up the stage', () => {
    const steer = user('and this', 2);
    const messages = [...turn1, opening, steer, ...steps.flat()];
    const atMost = (count: number) => (kept: readonly Message[]) =>
      kept.filter(({ role }) => role === 'user').length <= count && kept.length <= 3;
    const userIds = (count: number) =>
      ids((retain(messages, 'emergency', atMost(count))?.retained ?? []).filter(({ role }) => role === 'user'));
    assert.deepEqual(userIds(1), [steer.id]);
    assert.deepEqual(userIds(0), []);
  });

  it('says when not even the tail fits', () => {
    assert.equal(
      retain([...turn1, ...steps.flat()], 'normal', () => false),
      undefined,
    );
  });

  it('a sub-agent’s result is no anchor', () => {
    const delivered = user([{ kind: 'sub_agent_result', agentId: 'a', sequence: 1, text: 'found it' }], 2);
    const messages = [user('zero', 1), ...turn1, delivered, ...steps.flat()];
    const retention = retain(messages, 'normal', (kept) => !kept.includes(delivered));
    assert.equal(retention?.retained.includes(delivered), false);
  });
});
