import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteBudget, budgetsFromSettings, resolveBudgets } from '../../../src/core/prompt/budget.ts';

describe('budgets', () => {
  it('are those of the seed unless overridden; 0 means the default', () => {
    assert.deepEqual(resolveBudgets(), { project_context: 8000, skill: 106_496 });
    assert.deepEqual(resolveBudgets({ project_context: 0, skill: 5 }), { project_context: 8000, skill: 5 });
  });

  for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuse ${bad}`, () => assert.throws(() => resolveBudgets({ project_context: bad }), RangeError));
  }

  it('come from settings; a negative one counts as unset and is a problem that names its setting', () => {
    const settings = (project: number, skill: number) => ({
      project_context: { key: 'steiner.context.projectFilesMaxBytes', bytes: project },
      skill: { key: 'steiner.skills.maxBytes', bytes: skill },
    });
    assert.deepEqual(budgetsFromSettings(settings(100, 0)), {
      budgets: { project_context: 100, skill: 106_496 },
      problems: [],
    });
    const { budgets, problems } = budgetsFromSettings(settings(-5, 7));
    assert.deepEqual(budgets, { project_context: 8_000, skill: 7 });
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['steiner.context.projectFilesMaxBytes'],
    );
    assert.match(problems[0]?.reason ?? '', /not -5/);
  });

  it('A17: are shared in order and cut on code points', () => {
    const budget = new ByteBudget(10);
    assert.deepEqual(budget.take('12345'), { text: '12345', truncated: false });
    assert.deepEqual(budget.take('678📁'), { text: '678', truncated: true });
    assert.deepEqual(budget.take('é'), { text: 'é', truncated: false });
    assert.deepEqual(budget.take('x'), { text: '', truncated: true });
    assert.deepEqual(budget.take(''), { text: '', truncated: false });
  });

  it('never give more than they have, nor half a character', () => {
    fc.assert(
      fc.property(fc.nat(64), fc.array(fc.string({ unit: 'binary' })), (bytes, texts) => {
        const budget = new ByteBudget(bytes);
        const kept = texts.map((text) => budget.take(text).text);
        assert.ok(Buffer.byteLength(kept.join('')) <= bytes);
        for (const [index, text] of texts.entries()) assert.ok(text.startsWith(kept[index] ?? '?'));
        assert.ok(kept.every((text) => text.isWellFormed()));
      }),
      { verbose: 1 },
    );
  });
});
