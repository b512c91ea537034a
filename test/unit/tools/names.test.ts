import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { ToolBench } from './toolBench.ts';

describe('odd file names', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
  });
  afterEach(() => bench.close());

  it('A20: a look-alike is read if it is the only one, and never written', async () => {
    await bench.put('only\u00a0one.md', 'nbsp\n');
    await bench.put('e\u0301te\u0301/i\u0301tem.txt', 'decomposed\n');
    assert.equal(await bench.unasked('read', { path: 'only one.md' }), '1\tnbsp');
    assert.equal(await bench.unasked('read', { path: '\u00e9t\u00e9/\u00edtem.txt' }), '1\tdecomposed');
    assert.match(await bench.unasked('grep', { pattern: 'nbsp', path: 'only one.md' }), /only\u00a0one\.md:1:nbsp/);
    assert.match(await bench.fails('edit', { path: 'only one.md', old_text: 'nbsp', new_text: 'x' }), /does not exist/);
    await bench.run('write', { path: 'only one.md', content: 'plain\n' });
    assert.equal(await bench.text('only\u00a0one.md'), 'nbsp\n');
    assert.equal(await bench.unasked('read', { path: 'only one.md' }), '1\tplain');
  });

  it('A20: the exact name wins; with two look-alikes neither is taken', async () => {
    await bench.put('a\u00a0b.md', 'U+00A0\n');
    await bench.put('a\u202fb.md', 'U+202F\n');
    assert.match(await bench.fails('read', { path: 'a b.md' }), /does not exist/);
    await bench.put('a b.md', 'space\n');
    assert.equal(await bench.unasked('read', { path: 'a b.md' }), '1\tspace');
    assert.equal(await bench.unasked('read', { path: 'a\u00a0b.md' }), '1\tU+00A0');
    assert.equal(await bench.unasked('read', { path: 'a\u202fb.md' }), '1\tU+202F');
  });

  it('A20: listed names can be fed back, and one with a line break cannot pass for two', async () => {
    const names = ['a b.md', '(x) [y].md', 'a\u00a0b.md', 'e\u0301.txt', 'a;id.txt', ' lead.txt'];
    for (const name of names) await bench.put(name, `${name}\n`);
    await bench.put('two\nlines.txt', 'x');
    const rows = (await bench.unasked('list', {})).split('\n');
    assert.ok(rows.includes('"two\\nlines.txt"  1 bytes'));
    for (const name of names) {
      assert.ok(
        rows.some((row) => row.startsWith(`${name}  `)),
        name,
      );
      assert.equal(await bench.unasked('read', { path: name }), `1\t${name}`);
    }
  });

  it('A26: a file name with a semicolon is only a name', async () => {
    await bench.put('a;id.txt', 'text\n');
    const edit = await bench.run('edit', { path: 'a;id.txt', old_text: 'text', new_text: 'other' });
    assert.equal(edit.status, 'ok');
    assert.equal(await bench.text('a;id.txt'), 'other\n');
    assert.deepEqual((await readdir(bench.root)).sort(), ['a;id.txt']);
  });
});
