import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exitCodeOf, hitsIn } from '../../../src/core/providers/offline/toolText.ts';
import planNotice from '../../../templates/modes/plan.md';
import { ALL_TOOLS, Conversation } from './conversation.ts';
import { MemoryWorkspace } from './memoryTools.ts';

const README = '# Cashier\n\nAdds up a basket and prints the bill.\n';
const BASKET = [
  'import { money } from "./money";',
  '',
  'export interface Basket { items: Item[] }',
  '',
  '/** The discount applies before tax. */',
  'export function totalWithDiscount(basket: Basket, discount: number): number {',
  '  return money(basket.items.length * (1 - discount));',
  '}',
  '',
].join('\n');
const MONEY = [
  'export function money(value: number): number {',
  '  return Math.round(value * 100) / 100;',
  '}',
  '',
].join('\n');

function workspace(): MemoryWorkspace {
  return new MemoryWorkspace({
    'README.md': README,
    'package.json': '{\n  "name": "cashier"\n}\n',
    'src/basket.ts': BASKET,
    'src/money.ts': MONEY,
    'test/basket.test.ts': 'it("takes the discount off", () => {});\n',
  });
}

/** Every quote in the answer stands in the named line of the named file. */
function assertQuotesAreTrue(answer: string, { files }: MemoryWorkspace): number {
  const quotes = answer.split('\n').flatMap((row) => {
    const match = /^- `+ ?(\S+):(\d+) ?`+: (`+) ?(.*?) ?\3$/.exec(row);
    return match ? [{ path: match[1] ?? '', line: Number(match[2]), text: match[4] ?? '' }] : [];
  });
  for (const { path, line, text } of quotes) {
    const actual = files.get(path)?.split('\n')[line - 1];
    assert.ok(actual !== undefined, `${path}:${line} does not exist`);
    const [start = ''] = text.split('…');
    assert.ok(
      actual.replace(/\s+/g, ' ').includes(start),
      `${path}:${line} is ${JSON.stringify(actual)}, not ${JSON.stringify(text)}`,
    );
  }
  return quotes.length;
}

describe('the built-in model at work', () => {
  it('answers a question from the workspace in several steps, each fact with its place', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    const { answer, calls } = await talk.ask('Where is the discount applied?');
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['list', 'grep', 'read'],
    );
    assert.equal(calls[2]?.input.path, 'src/basket.ts');
    assert.ok(assertQuotesAreTrue(answer, place) >= 3);
    assert.match(answer, /has these lines with `discount`:/, 'only words that stand there are named');
    assert.match(answer, /`src\/basket\.ts:6`: `export function totalWithDiscount/);
    assert.match(answer, /test\/basket\.test\.ts:1/);
  });

  it('tells what it is in its first answer only', async () => {
    const talk = new Conversation(workspace().run);
    const first = await talk.ask('Where is the discount applied?');
    assert.match(first.answer, /built-in offline model.*`Steiner: Select Model`.*`Steiner: Set API Key`/s);
    const second = await talk.ask('list files');
    assert.doesNotMatch(second.answer, /built-in offline model/);
  });

  it('reads what tells most about the project when the question names nothing', async () => {
    const place = workspace();
    const { answer, calls } = await new Conversation(place.run).ask('What is this project?');
    assert.deepEqual(calls, [
      { name: 'list', input: {} },
      { name: 'read', input: { path: 'README.md', limit: 200 } },
    ]);
    assert.match(answer, /`README\.md:1`: `# Cashier`/);
    assert.match(answer, /package\.json/);
  });

  it('says that it found nothing instead of inventing', async () => {
    const place = new MemoryWorkspace({ 'data.bin': 'x' });
    const { answer } = await new Conversation(place.run).ask('How does the quantum scheduler balance threads?');
    assert.match(answer, /found nothing to quote/);
    assert.equal(assertQuotesAreTrue(answer, place), 0);
  });

  it('declines work beyond it, after showing the places', async () => {
    const place = workspace();
    const { answer } = await new Conversation(place.run).ask('Fix the rounding bug in money');
    assert.match(answer, /beyond a model with fixed rules/);
    assert.ok(assertQuotesAreTrue(answer, place) > 0);
    assert.equal(place.files.get('src/money.ts'), MONEY);
  });

  it('lists, finds, searches and reads', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    const listed = await talk.ask('list files in src');
    assert.deepEqual(listed.calls, [{ name: 'list', input: { path: 'src' } }]);
    assert.match(listed.answer, /```text\nbasket\.ts {2}10 bytes\nmoney\.ts {2}10 bytes\n```/);
    assert.match((await talk.ask('find files *.test.ts')).answer, /- `test\/basket\.test\.ts`/);
    const hits = await talk.ask('search money in src');
    assert.match(hits.answer, /3 lines in 2 files/);
    assert.equal(assertQuotesAreTrue(hits.answer, place), 3);
    const read = await talk.ask('read src/basket.ts lines 5-7');
    assert.deepEqual(read.calls, [{ name: 'read', input: { path: 'src/basket.ts', offset: 5, limit: 3 } }]);
    assert.match(read.answer, /6\texport function totalWithDiscount/);
    assert.match((await talk.ask('search nowhereToBeFound')).answer, /found nothing for `nowhereToBeFound`/);
    assert.match(
      (await talk.ask('search basket.test')).answer,
      /No line contains .* but these file names do.*test\/basket\.test\.ts/s,
    );
  });

  it('finds a file by its name, asks when there are several, and says when there is none', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    const moved = await talk.ask('read money.ts');
    assert.deepEqual(
      moved.calls.map(({ name, input }) => `${name} ${String(input.path ?? input.pattern)}`),
      ['read money.ts', 'glob **/money.ts', 'read src/money.ts'],
    );
    place.files.set('lib/money.ts', MONEY);
    assert.match((await talk.ask('read money.ts')).answer, /Which one\?\n*$|several files have that name/);
    assert.match((await talk.ask('read gone.ts')).answer, /no file `gone\.ts`/);
  });

  it('replaces text wherever it stands, by edits that are unambiguous', async () => {
    const place = workspace();
    place.files.set('src/twice.ts', 'a();\nold();\nb();\nold();\nold(1, old);\n');
    const { answer, calls } = await new Conversation(place.run).ask('replace old with fresh in src/twice.ts');
    assert.equal(place.files.get('src/twice.ts'), 'a();\nfresh();\nb();\nfresh();\nfresh(1, fresh);\n');
    assert.equal(calls[0]?.name, 'read');
    assert.match(answer, /I changed `src\/twice\.ts`/);
  });

  it('takes replacement text as it is', async () => {
    const place = workspace();
    place.files.set('a.txt', 'price: X\n');
    await new Conversation(place.run).ask('replace "X" with "$& $1 {{slot}}" in a.txt');
    assert.equal(place.files.get('a.txt'), 'price: $& $1 {{slot}}\n');
  });

  it('changes a named line and keeps its indentation', async () => {
    const place = workspace();
    const { answer } = await new Conversation(place.run).ask('change line 2 of src/money.ts to "return value;"');
    assert.equal(place.files.get('src/money.ts')?.split('\n')[1], '  return value;');
    assert.match(answer, /line 2/);
  });

  it('changes the named line and no other that reads the same, empty ones included', async () => {
    const place = workspace();
    place.files.set('a.ts', 'one();\nsame();\n\ntwo();\nsame();\n\nthree();\n');
    const talk = new Conversation(place.run);
    const { calls } = await talk.ask('change line 5 of a.ts to "other();"');
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['read', 'edit', 'edit'],
    );
    assert.equal(place.files.get('a.ts'), 'one();\nsame();\n\ntwo();\nother();\n\nthree();\n');
    await talk.ask('change line 6 of a.ts to "filled();"');
    assert.equal(place.files.get('a.ts'), 'one();\nsame();\n\ntwo();\nother();\nfilled();\nthree();\n');
  });

  it('leaves a file alone when there is nothing to replace', async () => {
    const place = workspace();
    const { answer, calls } = await new Conversation(place.run).ask('replace nonsense with x in src/money.ts');
    assert.match(answer, /left `src\/money\.ts` as it is/);
    assert.ok(!calls.some(({ name }) => name === 'edit'));
  });

  it('writes a file and runs a command, and reports the exit code', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    await talk.ask('create notes.md with content: # Notes');
    assert.equal(place.files.get('notes.md'), '# Notes\n');
    assert.match((await talk.ask('run npm test')).answer, /`npm test` ended with exit code 0/);
    assert.match((await talk.ask('run false --really')).answer, /ended with exit code 1/);
    assert.deepEqual(place.commands, ['npm test', 'false --really']);
  });

  it('reports a failed tool in its own words, and stops after a denial', async () => {
    const talk = new Conversation(({ name }) =>
      name === 'bash'
        ? { content: 'denied by user: the call was not run.', isError: true }
        : { content: 'permission denied', isError: true },
    );
    assert.match((await talk.ask('list files')).answer, /did not work.*permission denied/s);
    const denied = await talk.ask('run rm -rf build');
    assert.match(denied.answer, /You declined `bash rm -rf build`/);
    assert.equal(denied.calls.length, 1);
  });

  it('calls no tool that is not there', async () => {
    const talk = new Conversation();
    talk.tools = ALL_TOOLS.filter((name) => name !== 'bash');
    const { answer, calls } = await talk.ask('run npm test');
    assert.deepEqual(calls, []);
    assert.match(answer, /tool `bash`, which is not available/);
  });

  it('changes nothing in plan mode', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    for (const text of ['run npm test', 'replace a with b in src/money.ts', 'create x.md with content y']) {
      const { answer, calls } = await talk.ask(planNotice.trim(), text);
      assert.deepEqual(calls, []);
      assert.match(answer, /plan mode/);
    }
  });

  it('works in German, Spanish and Portuguese', async () => {
    const place = workspace();
    const talk = new Conversation(place.run);
    assert.match((await talk.ask('Wo wird der Rabatt discount in basket.ts abgezogen?')).answer, /totalWithDiscount/);
    assert.match((await talk.ask('busca `totalWithDiscount`')).answer, /src\/basket\.ts:6/);
    await talk.ask('substitua Cashier por Caixa em README.md');
    assert.match(place.files.get('README.md') ?? '', /^# Caixa/);
  });

  it('always ends, and quotes only what is there, whatever is typed', async () => {
    const words = fc.constantFrom(
      'read',
      'run',
      'replace',
      'with',
      'in',
      'src/money.ts',
      'money',
      'line 2',
      '*',
      '"',
      '`',
      '📁',
      '?',
      'list',
      'why',
      '(',
      '\\',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 8 }),
        async (pieces) => {
          const place = workspace();
          const { answer } = await new Conversation(place.run).ask(pieces.join(' ') || '?');
          assert.ok(answer.isWellFormed() && answer.trim() !== '');
          assertQuotesAreTrue(answer, place);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reads results whatever stands in paths and lines', () => {
    assert.deepEqual(hitsIn('src/a.ts:3:one: two:3\nC:\\w\\b.ts:7:three\n[3 more matches. Go on with offset 100.]'), [
      { path: 'src/a.ts', line: 3, text: 'one: two:3' },
      { path: 'C:\\w\\b.ts', line: 7, text: 'three' },
    ]);
    assert.equal(exitCodeOf({ content: '[Exit code 3.]\nprinted by the command\n[Exit code 1.]', failed: true }), 1);
    assert.equal(exitCodeOf({ content: '[Exit code 3.]', failed: false }), 0);
    assert.equal(exitCodeOf({ content: '[Ended after 120 s: the time limit.]', failed: true }), undefined);
  });
});
