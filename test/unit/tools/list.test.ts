import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ToolBench } from './toolBench.ts';

describe('list', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
  });
  afterEach(() => bench.close());

  it('A4c: an empty folder says that it is empty', async () => {
    assert.equal(await bench.unasked('list', {}), '[. is empty.]');
    await mkdir(join(bench.root, 'sub/empty'), { recursive: true });
    assert.equal(await bench.unasked('list', { path: 'sub/empty' }), '[sub/empty is empty.]');
  });

  it('gives names, kinds, sizes and where links lead, sorted', async () => {
    await bench.put('b.txt', 'é');
    await bench.put('a/c.txt', '');
    await symlink('b.txt', join(bench.root, 'link'));
    await symlink('nowhere', join(bench.root, 'loose'));
    const server = createServer().listen(join(bench.root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    assert.deepEqual((await bench.unasked('list', {})).split('\n'), [
      'a/',
      'b.txt  2 bytes',
      'link  (link to b.txt)',
      'loose  (link to nowhere)',
      'socket  (neither file nor folder)',
    ]);
    server.close();
  });

  it('pages, and the pages join to the whole', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `f${index}`);
    for (const name of names) await bench.put(name, '');
    const seen: string[] = [];
    for (let query: { offset?: number } | undefined = {}; query; ) {
      const page: string = await bench.unasked('list', { limit: 3, ...query });
      seen.push(...page.split('\n').flatMap((row) => /^(\w+) {2}0 bytes$/.exec(row)?.[1] ?? []));
      const next = /\[Entries \d+-\d+ of 7\. Go on with offset (\d+)\.\]$/.exec(page)?.[1];
      query = next === undefined ? undefined : { offset: Number(next) };
    }
    assert.deepEqual(seen, names);
    assert.equal(await bench.fails('list', { offset: 7 }), '. has 7 entries.');
  });

  it('shows 200 entries unless told otherwise', async () => {
    for (let index = 0; index < 201; index++) await bench.put(`f${1000 + index}`, '');
    const rows = (await bench.unasked('list', {})).split('\n');
    assert.equal(rows.length, 201);
    assert.equal(rows.at(-1), '[Entries 1-200 of 201. Go on with offset 200.]');
  });

  it('says what else a path is', async () => {
    await bench.put('a.txt', '');
    assert.equal(await bench.fails('list', { path: 'a.txt' }), 'a.txt is not a folder. Use read.');
    assert.equal(await bench.fails('list', { path: 'gone' }), 'gone does not exist.');
  });
});
