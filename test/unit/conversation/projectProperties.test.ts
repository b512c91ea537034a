import assert from 'node:assert/strict';
import fc from 'fast-check';
import { projectMessages, projectRequest } from '../../../src/core/conversation/project.ts';
import { interruptedResults, unansweredCalls } from '../../../src/core/conversation/repair.ts';
import { toAnthropicParams } from '../../../src/core/providers/anthropic/params.ts';
import { toOpenAiParams } from '../../../src/core/providers/openai-chat/params.ts';
import { readAnthropicRequest } from '../../rig/anthropicRequest.ts';
import { readOpenAiRequest } from '../../rig/openaiRequest.ts';
import { checkPairing } from '../../rig/pairing.ts';
import { checkBlankText, checkUnicode } from '../../rig/textRules.ts';
import { play, steps } from './arbitrary.ts';
import {
  assistant,
  brokenRule,
  call,
  lineageOf,
  placedBlocks,
  result,
  says,
  user,
  userTexts,
  viewOf,
} from './support.ts';

const runs = { numRuns: 1000 };
const options = { maxOutputTokens: 1000, cacheKey: 'session' };

describe('projection of random conversations', () => {
  it('invariant 2: request N is a prefix of request N+1 within a generation', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        let earlier = projectRequest(lineage.view(), options);
        for (const [turn, step] of conversation.entries()) {
          play(step, lineage, turn);
          const later = projectRequest(lineage.view(), options);
          if (step.kind !== 'generation') {
            assert.deepEqual(later.system, earlier.system);
            assert.deepEqual(later.tools, earlier.tools);
            const [a, b] = [placedBlocks(earlier.messages), placedBlocks(later.messages)];
            assert.deepEqual(b.slice(0, a.length), a);
          }
          // A copy: what was sent must not change when more is projected.
          earlier = structuredClone(later);
        }
      }),
      runs,
    );
  });

  it('invariants 3 and 7: rules R1, R2 and R3 hold for every request', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        for (const [turn, step] of conversation.entries()) {
          play(step, lineage, turn);
          assert.equal(brokenRule(projectMessages(lineage.view())), undefined);
        }
      }),
      runs,
    );
  });

  it('the rig accepts every request on both wires (R1, R2, R3)', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        for (const [turn, step] of conversation.entries()) {
          play(step, lineage, turn);
          const request = projectRequest(lineage.view(), options);
          const anthropic = toAnthropicParams(request);
          const openAi = toOpenAiParams(request, { official: true });
          for (const prompt of [readAnthropicRequest(anthropic), readOpenAiRequest(openAi)]) {
            assert.equal(checkPairing(prompt) ?? checkBlankText(prompt), undefined);
          }
          assert.equal(checkUnicode(anthropic, true) ?? checkUnicode(openAi, true), undefined);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('invariant 4: projecting changes no stored message', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        for (const [turn, step] of conversation.entries()) play(step, lineage, turn);
        const stored = structuredClone(lineage.messages);
        projectMessages(lineage.view());
        projectMessages(lineage.view());
        assert.deepEqual(lineage.messages, stored);
      }),
    );
  });

  it('invariant 8: thinking is sent byte for byte and whole, or not at all, and never from an earlier generation', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        for (const [turn, step] of conversation.entries()) play(step, lineage, turn);
        const view = lineage.view();
        const thinkingOf = (blocks: readonly { type: string }[]) =>
          blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
        const sent = thinkingOf(placedBlocks(projectMessages(view)).map(({ role: _, ...block }) => block));
        const allowed = view.appended.flatMap((message) =>
          message.role === 'assistant' ? [thinkingOf(message.blocks)] : [],
        );
        let rest = sent;
        for (const turn of allowed) {
          try {
            assert.deepEqual(rest.slice(0, turn.length), turn);
            rest = rest.slice(turn.length);
          } catch {
            // This answer's thinking was left out.
          }
        }
        assert.deepEqual(rest, []);
      }),
      runs,
    );
  });
});

describe('truncation at every boundary', () => {
  const batch = ['b1', 'b2', 'b3', 'b4'];
  const fixture = [
    user('sentence 0'),
    ...Array.from({ length: 5 }, (_, n) => [
      assistant([call(`c${n}`)]),
      result(`c${n}`),
      user(`sentence ${n + 1}`),
    ]).flat(),
    assistant(batch.map((id) => call(id))),
    ...batch.toReversed().map((id) => result(id)),
    user('beside the results'),
    ...Array.from({ length: 9 }, (_, n) => [says(`answer ${n}`), user(`question ${n}`)]).flat(),
  ];

  it('A2: at every index 0..40 the rules hold, all later user words are sent, and no call appears twice', () => {
    assert.equal(fixture.length, 40);
    for (let boundary = 0; boundary <= 40; boundary++) {
      const kept = fixture.slice(boundary);
      const messages = projectMessages(viewOf(kept));
      assert.equal(brokenRule(messages), undefined, `boundary ${boundary}`);
      const words = kept.flatMap((message) => (message.role === 'user' ? message.parts : []));
      const sent = userTexts(messages);
      for (const part of words) assert.ok(part.kind === 'text' && sent.includes(part.text), `boundary ${boundary}`);
    }
  });
});

describe('repair', () => {
  const open = [user('x'), assistant([call('a'), call('b'), call('c')], { turn: 4 }), result('b')];
  const ids = (prefix: string) => `repair_${prefix}_${Math.random()}`;

  it('A1: answers each open call once; a second reopen has nothing to repair', () => {
    const lineage = lineageOf(open);
    assert.deepEqual(
      unansweredCalls(lineage.view()).map(({ callId }) => callId),
      ['a', 'c'],
    );
    const repairs = interruptedResults(lineage.view(), { ids, now: 77 });
    assert.deepEqual(
      repairs.map(({ callId, status, turn, at, name }) => [callId, status, turn, at, name]),
      [
        ['a', 'interrupted', 4, 77, 'read'],
        ['c', 'interrupted', 4, 77, 'read'],
      ],
    );
    for (const message of repairs) lineage.append(message);
    assert.deepEqual(unansweredCalls(lineage.view()), []);
    assert.deepEqual(interruptedResults(lineage.view(), { ids, now: 78 }), []);
  });

  it('A1: the stored repair is what the projection had already sent', () => {
    const lineage = lineageOf(open);
    const before = projectMessages(lineage.view());
    for (const message of interruptedResults(lineage.view(), { ids, now: 1 })) lineage.append(message);
    assert.deepEqual(projectMessages(lineage.view()), before);
  });

  it('leaves calls alone that an answer already follows', () => {
    assert.deepEqual(unansweredCalls(viewOf([...open, says('went on')])), []);
    assert.deepEqual(unansweredCalls(viewOf([user('nothing called')])), []);
  });
});
