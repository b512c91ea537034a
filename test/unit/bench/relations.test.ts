// What holds of any agent's sessions, on made-up ones: the relations of the table in docs/bench-context.md.
import assert from 'node:assert/strict';
import { type BenchSettings, runBench } from '../../bench/context/bench.ts';
import { answerOf, type BenchAnswer } from '../../bench/context/figures.ts';
import { syntheticTraces } from '../../bench/context/syntheticTraces.ts';
import { tableOf } from '../../bench/context/table.ts';

const SETTINGS: BenchSettings = {
  policy: 'fixed',
  window: 64_000,
  gaps: 'recorded',
  provider: 'anthropic',
  ttl: '5m',
  seed: 1,
};

describe('context benchmark on made-up sessions', () => {
  const traces = syntheticTraces(7);
  const answers = new Map<string, BenchAnswer>();
  async function under(settings: Partial<BenchSettings>): Promise<BenchAnswer> {
    const key = JSON.stringify(settings);
    const answer = answers.get(key) ?? answerOf(await runBench(traces, { ...SETTINGS, ...settings }));
    answers.set(key, answer);
    return answer;
  }

  it('has a chat, a joined session and six short ones, and every figure of each', async () => {
    const { sessions, groups, total } = await under({ policy: 'naive' });
    assert.deepEqual(
      sessions.map(({ group }) => group),
      ['user', 'joined', ...Array.from({ length: 6 }, () => 'short')],
    );
    for (const figures of [...sessions, ...Object.values(groups), total]) {
      for (const [name, value] of Object.entries(figures)) {
        if (name !== 'id' && name !== 'group') assert.ok(Number.isFinite(value), name);
      }
    }
    assert.equal(groups.user.calls, 24 * 11);
    assert.equal(groups.joined.calls, groups.short.calls);
  });

  it('naive loses nothing, rewrites nothing and is held against itself', async () => {
    const { total } = await under({ policy: 'naive' });
    assert.equal(total.ratioToNaiveCached, 1);
    const { rewrites, overflows, recallAll, recallOldFull, recallOldGone, userMessagesVerbatim } = total;
    assert.deepEqual(
      [rewrites, overflows, recallAll, recallOldFull, recallOldGone, userMessagesVerbatim],
      [0, 0, 1, 1, 0, 1],
    );
    assert.ok(total.references > 200 && total.oldReferences > 100, `${total.references}, ${total.oldReferences}`);
    assert.ok(total.hitRate > 0.95);
  });

  it('fixed costs less than naive and more than the oracle, and loses something', async () => {
    const { groups } = await under({ policy: 'fixed' });
    for (const { ratioToNaiveCached, ratioToOracle, ratioToFixed } of [groups.user, groups.joined]) {
      assert.ok(
        Number(ratioToNaiveCached) < 0.8 && Number(ratioToOracle) > 1.2,
        `${ratioToNaiveCached}, ${ratioToOracle}`,
      );
      assert.equal(ratioToFixed, 1);
    }
    assert.ok(groups.user.generations > 2 && groups.user.summaries >= groups.user.generations - 1);
    assert.equal(groups.user.rewrites, groups.user.generations - 1);
    assert.ok(groups.user.recallOldFull < 1 && groups.user.recallOldGone > 0 && groups.user.reReads > 0);
    assert.ok(groups.user.meanPromptTokens < 0.7 * 64_000);
  });

  it('fixed does nothing where the window is large', async () => {
    const { groups } = await under({ policy: 'fixed', window: 1_000_000 });
    assert.equal(groups.user.rewrites + groups.joined.rewrites, 0);
    // The marker at the generation's start is all that differs.
    assert.ok(Math.abs(Number(groups.user.ratioToNaiveCached) - 1) < 0.01);
  });

  it('truncation loses what the user said', async () => {
    const { groups } = await under({ policy: 'half' });
    assert.ok(groups.user.userMessagesVerbatim < 0.95);
    assert.equal(groups.user.summaries, 0);
  });

  it('the oracle needs no summary and loses nothing', async () => {
    const { total } = await under({ policy: 'oracle' });
    assert.deepEqual([total.summaries, total.reReads, total.recallAll, total.ratioToOracle], [0, 0, 1, 1]);
  });

  it('colder gaps cost more and warm ones less', async () => {
    const cost = async (gaps: BenchSettings['gaps']) => (await under({ policy: 'naive', gaps })).groups.user.costUnits;
    const [warm, recorded, cold] = [await cost('warm'), await cost('recorded'), await cost('coldheavy')];
    assert.ok(warm < recorded && recorded < cold, `${warm}, ${recorded}, ${cold}`);
  });

  it('automatic prefixes cost no write fee', async () => {
    const { groups } = await under({ policy: 'naive', gaps: 'warm', provider: 'openai' });
    assert.ok(groups.user.hitRate > 0.95);
    assert.ok(groups.user.costUnits < (await under({ policy: 'naive', gaps: 'warm' })).groups.user.costUnits);
  });

  it('is the same on every run, but for the time of decisions', async () => {
    const untimed = ({ sessions }: BenchAnswer) => sessions.map((session) => ({ ...session, decisionMicros: 0 }));
    const again = answerOf(await runBench(syntheticTraces(7), SETTINGS));
    assert.deepEqual(untimed(again), untimed(await under({ policy: 'fixed' })));
  });

  it('has a row for each session and group in the table', async () => {
    const lines = tableOf(await under({ policy: 'fixed' })).split('\n');
    assert.equal(lines.length, 1 + 8 + 4);
    assert.equal(new Set(lines.map(({ length }) => length)).size, 1);
  });
});
