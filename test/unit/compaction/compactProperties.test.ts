import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compact } from '../../../src/core/compaction/compact.ts';
import { isRealUserMessage, userText } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { fitRequest } from '../../../src/core/policy/fit.ts';
import { play, steps } from '../conversation/arbitrary.ts';
import { assistant, brokenRule, call, lineageOf, result, says, user, userTexts } from '../conversation/support.ts';
import { adopt, applied, CARRIES, estimate, inputFor, words } from './support.ts';

const options = { maxOutputTokens: 4_096, cacheKey: 'session' };
const budget = { contextWindow: 12_000, maxOutputTokens: 4_096 };

describe('compaction of random conversations', () => {
  const trigger = fc.constantFrom('manual' as const, 'soft' as const, 'hard' as const);
  const padding = fc.array(fc.nat(3_000), { maxLength: 8 });
  const carries = fc.constantFrom(...CARRIES);
  const summary = fc.constantFrom('', 'Short summary.', words(1_000), 'poison \ud83d');

  it('invariants 1, 3, 5, 7 and 9 hold for whatever is sent and whatever is adopted', async () => {
    let adopted = 0;
    await fc.assert(
      fc.asyncProperty(steps, padding, trigger, summary, carries, async (conversation, sizes, kind, text, carry) => {
        const lineage = lineageOf([user('start')]);
        for (const [turn, size] of sizes.entries()) {
          for (const message of [assistant([call(`p${turn}`)]), result(`p${turn}`, words(size))])
            lineage.append(message);
        }
        for (const [turn, step] of conversation.entries()) play(step, lineage, turn + 2);
        const stored = structuredClone([lineage.messages, lineage.generations]);

        const change = { trigger: kind, budget, softThreshold: 8_400, carry, former: lineage.former() };
        const { input, requests } = inputFor(lineage.view(), change, [text]);
        const outcome = await compact(input);
        assert.deepEqual([lineage.messages, lineage.generations], stored);
        for (const request of requests) {
          assert.equal(brokenRule(request.messages), undefined);
          const promptTokens = estimate(request);
          const { maxOutputTokens } = request;
          const fit = fitRequest({ promptTokens, ...budget, explicitMaxTokens: maxOutputTokens });
          assert.ok(fit.fits, 'the summary request fits');
        }
        if (!outcome.applied) {
          assert.match(outcome.reason, /^[a-z].*[^.]$/);
          return;
        }
        adopted += 1;
        for (const { receipt } of outcome.generations) {
          const { tokensBefore, tokensAfter } = receipt ?? { tokensBefore: 0, tokensAfter: 0 };
          assert.ok(tokensBefore - tokensAfter >= Math.min(tokensBefore / 10, 2_000));
        }
        const next = projectRequest(adopt(lineage, outcome.generations), options);
        assert.equal(brokenRule(next.messages), undefined);
        assert.ok(JSON.stringify(next.system).isWellFormed());
        assert.ok(fitRequest({ promptTokens: estimate(next), ...budget }).fits);
        assert.equal(outcome.generations.at(-1)?.receipt?.tokensAfter, estimate(next));
      }),
      { numRuns: 1_000 },
    );
    assert.ok(adopted > 20, `only ${adopted} of the random conversations were compacted`);
  });
});

describe('compaction at every boundary', () => {
  const batch = ['b1', 'b2', 'b3', 'b4'];
  const fixture = [
    ...Array.from({ length: 6 }, (_, n) => [
      user(`sentence ${n}`, n + 1),
      assistant([call(`c${n}`)], { turn: n + 1 }),
      result(`c${n}`, words(900), { turn: n + 1 }),
    ]).flat(),
    user('the batch', 7),
    assistant(
      batch.map((id) => call(id)),
      { turn: 7 },
    ),
    ...batch.toReversed().map((id) => result(id, words(300), { turn: 7 })),
    user('beside the results', 7),
    ...Array.from({ length: 5 }, (_, n) => [
      says(`answer ${n}`, 7 + n),
      user(`question ${n} ${words(200)}`, 8 + n),
      says('ok', 8 + n),
    ]).flat(),
  ];

  for (const carry of CARRIES)
    it(`A2: ${carry?.policy ?? 'fixed'}, with 0..40 messages, after an earlier compaction, R1 holds and every sentence is sent or archived`, async () => {
      assert.equal(fixture.length, 40);
      for (let count = 0; count <= 40; count++) {
        const lineage = lineageOf(fixture.slice(0, Math.min(count, 12)));
        if (count > 12) {
          const { input } = inputFor(lineage.view(), { trigger: 'manual', carry });
          adopt(lineage, applied(await compact(input)).generations);
          for (const message of fixture.slice(12, count)) lineage.append(message);
        }
        const { input, requests } = inputFor(lineage.view(), { trigger: 'manual', carry, former: lineage.former() });
        const outcome = await compact(input);
        for (const { messages } of requests) assert.equal(brokenRule(messages), undefined, `${count} messages`);
        if (!outcome.applied) continue;
        const next = projectRequest(adopt(lineage, outcome.generations), options);
        assert.equal(brokenRule(next.messages), undefined, `${count} messages`);
        const sent = userTexts(next.messages).join('\n');
        for (const message of lineage.messages.filter(isRealUserMessage)) {
          assert.ok(sent.includes(userText(message)), `${count} messages: ${userText(message).slice(0, 20)}`);
        }
      }
    });
});
