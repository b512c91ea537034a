import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compact } from '../../../src/core/compaction/compact.ts';
import type { CompactionInput, SummaryTarget } from '../../../src/core/compaction/compactionInput.ts';
import { compactWithFallback } from '../../../src/core/compaction/compactWithFallback.ts';
import type { GenerationView } from '../../../src/core/conversation/generation.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { play, steps } from '../conversation/arbitrary.ts';
import { head, lineageOf, user } from '../conversation/support.ts';
import { applied, estimate, finishedTurn, inputFor, reasonOf, step, words } from './support.ts';

const mini = { provider: 'openai' as const, model: 'gpt-6-mini' };
const main = head.model;

function targetOf(
  answers: (string | Error)[],
  change: Partial<SummaryTarget> = {},
): { target: SummaryTarget; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const target: SummaryTarget = {
    ref: mini,
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    estimate,
    summarize: (request) => {
      requests.push(request);
      const answer = answers[requests.length - 1] ?? answers.at(-1) ?? '';
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    ...change,
  };
  return { target, requests };
}

const withTarget = (input: CompactionInput, target: SummaryTarget) =>
  compactWithFallback(input, {
    fallback: { after: 1, resolve: () => Promise.resolve(target) },
    lastMainRequest: undefined,
    main,
  });

/** Compacts in one stage within 32,768 tokens. */
const view = () => lineageOf([...finishedTurn(1, 'First.', 6, 2_500), ...finishedTurn(2, 'Second.', 4, 1_500)]).view();

/** Needs two stages. */
const steepView = () =>
  lineageOf([
    ...finishedTurn(1, 'First request.', 2, 2_500),
    user('Second request.', 2),
    ...step('a', 9_000, 2),
    ...step('b', 9_000, 2),
    ...step('c', 9_000, 2),
  ]).view();
const steep = { budget: { contextWindow: 40_000, maxOutputTokens: 8_192 }, softThreshold: 20_000 };

/** Random conversations with enough in them to compact. */
const conversations: fc.Arbitrary<GenerationView> = fc
  .tuple(steps, fc.array(fc.integer({ min: 200, max: 4_000 }), { minLength: 2, maxLength: 9 }))
  .map(([conversation, sizes]) => {
    const lineage = lineageOf([user('start')]);
    for (const [turn, size] of sizes.entries()) {
      for (const message of finishedTurn(turn + 1, `request ${turn} ${words(20)}`, 2, size)) lineage.append(message);
    }
    for (const [turn, each] of conversation.entries()) play(each, lineage, turn + sizes.length + 1);
    return lineage.view();
  });

describe('compaction on a fallback model', () => {
  it('a summary of the fallback is applied; outcome and receipt name the model and the reason', async () => {
    const { input, requests } = inputFor(view());
    const played = targetOf(['From the fallback.']);
    const outcome = applied(await withTarget(input, played.target));
    const fallback = {
      fallbackStatus: 'used',
      fallbackReason: 'no recent request',
      compactionModel: 'openai/gpt-6-mini',
    };
    assert.deepEqual(outcome.fallback, fallback);
    const [generation] = outcome.generations;
    assert.equal(generation?.summary, 'From the fallback.');
    assert.deepEqual(generation?.receipt?.summaryModel, mini);
    assert.deepEqual(generation?.receipt?.fallback, fallback);
    assert.deepEqual([requests.length, played.requests.length], [0, 1]);
  });

  it('nothing is resolved without a positive time', async () => {
    const { input, requests } = inputFor(view());
    const outcome = await compactWithFallback(input, {
      fallback: { after: 0, resolve: () => assert.fail('resolved') },
      lastMainRequest: undefined,
      main,
    });
    assert.equal(applied(outcome).fallback, undefined);
    assert.equal(requests.length, 1);
  });

  it('a warm cache runs on main and resolves nothing', async () => {
    const { input, requests } = inputFor(view());
    const outcome = await compactWithFallback(input, {
      fallback: { after: 1_000, resolve: () => assert.fail('resolved') },
      lastMainRequest: { at: input.now - 1_000, model: main, cacheKey: 'session' },
      main,
    });
    assert.equal(applied(outcome).fallback, undefined);
    assert.equal(requests.length, 1);
  });

  it('a target with main’s provider and model is not selected', async () => {
    const { input, requests } = inputFor(view());
    const played = targetOf(['never'], { ref: { ...main } });
    const outcome = applied(await withTarget(input, played.target));
    assert.equal(outcome.fallback, undefined);
    assert.deepEqual([requests.length, played.requests.length], [1, 0]);
  });

  it('both stages run on the same target, chosen once', async () => {
    const { input, requests } = inputFor(steepView(), steep);
    const played = targetOf(['One.', 'Two.']);
    let resolved = 0;
    const outcome = applied(
      await compactWithFallback(input, {
        fallback: {
          after: 1,
          resolve: () => {
            resolved += 1;
            return Promise.resolve(played.target);
          },
        },
        lastMainRequest: undefined,
        main,
      }),
    );
    assert.equal(outcome.stageCount, 2);
    assert.deepEqual([resolved, requests.length, played.requests.length], [1, 0, 2]);
    for (const { receipt } of outcome.generations) assert.equal(receipt?.fallback?.fallbackStatus, 'used');
  });

  it('a selected fallback that applies nothing says nothing and is not run again on main', async () => {
    const { input, requests } = inputFor(lineageOf([user('Only this.')]).view(), { trigger: 'manual' });
    const played = targetOf(['never']);
    const outcome = await withTarget(input, played.target);
    assert.match(reasonOf(outcome), /nothing old enough/);
    assert.equal(outcome.fallback, undefined);
    assert.deepEqual([requests.length, played.requests.length], [0, 0]);
  });
});

describe('compaction on a fallback model: two budgets', () => {
  it('the longest summary follows the target’s window and output', async () => {
    const large = targetOf(['S.']);
    await withTarget(inputFor(view()).input, large.target);
    assert.equal(large.requests[0]?.maxOutputTokens, 16_000);
    const short = targetOf(['S.'], { maxOutputTokens: 1_000 });
    await withTarget(inputFor(view()).input, short.target);
    assert.equal(short.requests[0]?.maxOutputTokens, 1_000);
  });

  it('whether the request fits is measured with the target’s own estimate', async () => {
    const { input } = inputFor(view());
    const played = targetOf(['S.'], { contextWindow: 60_000, estimate: (request) => 5 * estimate(request) });
    const outcome = applied(await withTarget(input, played.target));
    assert.equal(outcome.fallback?.fallbackReason, 'context too large for openai/gpt-6-mini');
    assert.equal(played.requests.length, 0);
    const cheaper = targetOf(['S.'], { contextWindow: 60_000 });
    await withTarget(inputFor(view()).input, cheaper.target);
    assert.equal(cheaper.requests.length, 1, 'by main’s estimate it would fit');
  });

  it('what does not fit the target is not cut into pieces there: main does the whole operation', async () => {
    const { input, requests } = inputFor(view(), {}, ['From main.']);
    const played = targetOf(['never'], { contextWindow: 8_000, maxOutputTokens: 1_000 });
    const outcome = applied(await withTarget(input, played.target));
    assert.deepEqual(outcome.fallback, {
      fallbackStatus: 'skipped',
      fallbackReason: 'context too large for openai/gpt-6-mini',
    });
    assert.equal(outcome.generations[0]?.summary, 'From main.');
    assert.deepEqual(outcome.generations[0]?.receipt?.summaryModel, main);
    assert.deepEqual([requests.length, played.requests.length], [1, 0]);
  });

  it('what is kept, and every size in the receipt, is measured for main alone', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (messages) => {
        const onMain = await compact(inputFor(messages).input);
        const { target } = targetOf(['The summary.'], { contextWindow: 1_000_000, estimate: () => 1 });
        const onFallback = await withTarget(inputFor(messages).input, target);
        if (!onMain.applied || !onFallback.applied) {
          assert.deepEqual(onFallback, onMain);
          return;
        }
        const essence = ({ generations, archives }: typeof onMain) => ({
          archives,
          generations: generations.map(({ receipt, ...rest }) => {
            const { summaryModel: _, fallback: __, ...sizes } = receipt ?? { summaryModel: main };
            return { ...rest, sizes };
          }),
        });
        assert.deepEqual(essence(onFallback), essence(onMain));
      }),
      { numRuns: 150 },
    );
  });
});

describe('compaction on a fallback model: the attempt fails', () => {
  for (const [what, answers, reason] of [
    ['a provider error', [new Error('status 400')], 'fallback failed: status 400'],
    ['an empty summary, twice', ['', ' \n'], 'fallback failed: the model gave no summary'],
    ['an error in the second stage', ['One.', new Error('overloaded')], 'fallback failed: overloaded'],
  ] as const) {
    it(`${what}: the whole operation runs again on main from the original state`, async () => {
      const { input, requests } = inputFor(steepView(), steep, ['Main one.', 'Main two.']);
      const played = targetOf([...answers]);
      const outcome = applied(await withTarget(input, played.target));
      assert.deepEqual(outcome.fallback, { fallbackStatus: 'skipped', fallbackReason: reason });
      const alone = applied(await compact(inputFor(steepView(), steep, ['Main one.', 'Main two.']).input));
      assert.deepEqual(
        outcome.generations.map(({ id, parent, summary }) => [id, parent, summary]),
        alone.generations.map(({ id, parent, summary }) => [id, parent, summary]),
      );
      assert.equal(requests.length, 2);
      assert.doesNotMatch(JSON.stringify(requests), /One\./);
    });
  }

  it('a target that cannot be resolved is a failed attempt', async () => {
    const { input } = inputFor(view(), {}, ['From main.']);
    const outcome = applied(
      await compactWithFallback(input, {
        fallback: { after: 1, resolve: () => Promise.reject(new Error('no key')) },
        lastMainRequest: undefined,
        main,
      }),
    );
    assert.equal(outcome.fallback?.fallbackReason, 'fallback failed: no key');
    assert.equal(outcome.generations[0]?.summary, 'From main.');
  });

  it('the outcome says skipped even when main applies nothing', async () => {
    const { input } = inputFor(view(), {}, ['']);
    const outcome = await withTarget(input, targetOf([new Error('down')]).target);
    assert.equal(outcome.applied, false);
    assert.equal(outcome.fallback?.fallbackReason, 'fallback failed: down');
  });

  it('an error of main’s rerun is returned', async () => {
    const { input } = inputFor(view(), { summarize: () => Promise.reject(new Error('main is down too')) });
    await assert.rejects(withTarget(input, targetOf([new Error('down')]).target), /main is down too/);
  });

  it('after a cancellation nothing is run again, and the error is returned as it is', async () => {
    const abort = new AbortController();
    const { input, requests } = inputFor(view(), { signal: abort.signal });
    const stopped = new Error('stopped');
    const played = targetOf(['never'], {
      summarize: () => {
        abort.abort(stopped);
        return Promise.reject(stopped);
      },
    });
    await assert.rejects(withTarget(input, played.target), stopped);
    assert.equal(requests.length, 0);
  });

  it('an error that is a cancellation is returned as it is though the signal is silent', async () => {
    const { input, requests } = inputFor(view());
    const cancelled = new DOMException('timed out', 'AbortError');
    await assert.rejects(withTarget(input, targetOf([cancelled]).target), cancelled);
    assert.equal(requests.length, 0);
  });

  it('the rerun gives exactly what main alone gives, for any conversation', async () => {
    let skipped = 0;
    await fc.assert(
      fc.asyncProperty(conversations, fc.boolean(), async (messages, late) => {
        const alone = await compact(inputFor(messages).input);
        const { target } = targetOf(late ? ['One.', new Error('late')] : [new Error('early')]);
        const { fallback, ...outcome } = await withTarget(inputFor(messages).input, target);
        if (fallback?.fallbackStatus !== 'skipped') return;
        skipped += 1;
        const plain = outcome.applied
          ? {
              ...outcome,
              generations: outcome.generations.map(({ receipt, ...generation }) => {
                const { fallback: noted, ...rest } = receipt ?? assert.fail('no receipt');
                assert.deepEqual(noted, fallback);
                return { ...generation, receipt: rest };
              }),
            }
          : outcome;
        assert.deepEqual(plain, alone);
      }),
      { numRuns: 150 },
    );
    assert.ok(skipped > 10, `only ${skipped} attempts failed`);
  });
});
