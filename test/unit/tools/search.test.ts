import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { globTool } from '../../../src/core/tools/glob.ts';
import { grepTool } from '../../../src/core/tools/grep.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { ripgrepOfThisMachine, ToolBench } from './toolBench.ts';

const ripgrepPath = ripgrepOfThisMachine();
const NOTES = /\n?\[ripgrep was not found[^\n]*\]/g;

for (const [name, path] of [
  ['ripgrep', ripgrepPath],
  ['plain Node', undefined],
] as const) {
  describe(`glob and grep with ${name}`, () => {
    let bench: ToolBench;
    before(function () {
      if (name === 'ripgrep' && path === undefined) {
        console.warn('    SKIPPED: this machine has no ripgrep, on PATH or in a VS Code that the host tests installed');
        this.skip();
      }
    });
    beforeEach(async () => {
      bench = await ToolBench.open({ ripgrepPath: path });
    });
    afterEach(() => bench.close());

    const rows = async (tool: string, args: object) => (await bench.unasked(tool, args)).replace(NOTES, '').split('\n');

    it('says when ripgrep is missing, and only then', async () => {
      await bench.put('a.ts', 'x\n');
      for (const args of [{ pattern: '*.ts' }, { pattern: '*.js' }]) {
        assert.equal((await bench.unasked('glob', args)).includes('ripgrep was not found'), path === undefined);
      }
      assert.equal(
        (await bench.unasked('grep', { pattern: 'x' })).includes('ripgrep was not found'),
        path === undefined,
      );
    });

    it('glob finds by name and by path, sorted, hidden files too', async () => {
      for (const file of ['src/b.ts', 'src/a.ts', 'src/deep/c.tsx', 'top.ts', '.github/ci.ts', '.git/hook.ts'])
        await bench.put(file, '');
      assert.deepEqual(await rows('glob', { pattern: '*.ts' }), ['.github/ci.ts', 'src/a.ts', 'src/b.ts', 'top.ts']);
      assert.deepEqual(await rows('glob', { pattern: '**/*' }), [
        '.github/ci.ts',
        'src/a.ts',
        'src/b.ts',
        'src/deep/c.tsx',
        'top.ts',
      ]);
      assert.deepEqual(await rows('glob', { pattern: 'src/*.ts' }), ['src/a.ts', 'src/b.ts']);
      assert.deepEqual(await rows('glob', { pattern: './src/**/*.{ts,tsx}' }), [
        'src/a.ts',
        'src/b.ts',
        'src/deep/c.tsx',
      ]);
      assert.deepEqual(await rows('glob', { pattern: `${bench.root}/src/*.ts` }), ['src/a.ts', 'src/b.ts']);
      assert.deepEqual(await rows('glob', { pattern: '*.tsx', path: 'src' }), ['src/deep/c.tsx']);
      assert.deepEqual(await rows('glob', { pattern: '*.rs' }), ['[No file matches *.rs.]']);
      assert.match(await bench.fails('glob', { pattern: '*', path: 'top.ts' }), /not a folder/);
      assert.match(await bench.fails('glob', { pattern: '*', path: 'gone' }), /does not exist/);
    });

    it('glob pages', async () => {
      for (let index = 0; index < 7; index++) await bench.put(`f${index}.txt`, '');
      assert.deepEqual(await rows('glob', { pattern: '*', limit: 3, offset: 2 }), [
        'f2.txt',
        'f3.txt',
        'f4.txt',
        '[Files 3-5 of 7. Go on with offset 5.]',
      ]);
      assert.deepEqual(await rows('glob', { pattern: '*', offset: 5 }), ['f5.txt', 'f6.txt']);
      assert.deepEqual(await rows('glob', { pattern: '*', offset: 9 }), ['[Only 7 files match.]']);
    });

    it('what follows the last line break is no line', async () => {
      await bench.put('a.txt', 'a\nb\n');
      await bench.put('empty.txt', '');
      assert.deepEqual(await rows('grep', { pattern: '^$' }), ['[No line matches ^$.]']);
      assert.deepEqual(await rows('grep', { pattern: 'b', context: 2 }), ['a.txt-1-a', 'a.txt:2:b']);
    });

    it('A19: a binary file shows no lines, wherever its first NUL byte is; if it was named, the result says so', async () => {
      await bench.put('near.bin', 'needle\n\0\0 needle\n');
      await bench.put('far.bin', `needle\n${'a'.repeat(200_000)}\n\0\nneedle\n`);
      await bench.put('a.txt', 'needle\n');
      assert.deepEqual(await rows('grep', { pattern: 'needle' }), ['a.txt:1:needle']);
      assert.deepEqual(await rows('grep', { pattern: 'needle', path: 'near.bin' }), [
        '[No line matches needle.]',
        '[It is a binary file; its text is not shown.]',
      ]);
    });

    it('a pattern sees characters, not halves of them', async () => {
      await bench.put('a.txt', '\u{1f4c1}\né\n12\na-b "q"\n');
      assert.deepEqual(await rows('grep', { pattern: '^.$' }), ['a.txt:1:\u{1f4c1}', 'a.txt:2:é']);
      assert.deepEqual(await rows('grep', { pattern: '^\\p{L}$' }), ['a.txt:2:é']);
      assert.deepEqual(await rows('grep', { pattern: 'a\\-b \\"q' }), ['a.txt:4:a-b "q"']);
    });

    it('A26: globs and patterns that begin with a dash are no options, and none starts a program', async () => {
      await bench.put('-rf.txt', 'needle $(id) --files\n');
      await bench.put('a.txt', 'needle\n');
      const row = '-rf.txt:1:needle $(id) --files';
      assert.deepEqual(await rows('grep', { pattern: 'needle', glob: '-rf*' }), [row]);
      assert.deepEqual(await rows('grep', { pattern: '--files' }), [row]);
      assert.deepEqual(await rows('grep', { pattern: '\\$\\(id\\)', path: '-rf.txt' }), [row]);
      assert.deepEqual(await rows('grep', { pattern: '$(id)' }), ['[No line matches $(id).]']);
      assert.deepEqual(await rows('glob', { pattern: '--pre=id' }), ['[No file matches --pre=id.]']);
      assert.deepEqual(await rows('glob', { pattern: './' }), ['[No file matches ./.]']);
    });

    it('grep gives lines with numbers, context and pages', async () => {
      await bench.put('a.ts', 'zero\r\nOne\r\ntwo\r\nthree\r\none\r\n');
      await bench.put('b/c.md', 'one\n');
      assert.deepEqual(await rows('grep', { pattern: 'one' }), ['a.ts:5:one', 'b/c.md:1:one']);
      assert.deepEqual(await rows('grep', { pattern: '^ONE$', ignore_case: true, glob: '*.ts' }), [
        'a.ts:2:One',
        'a.ts:5:one',
      ]);
      assert.deepEqual(await rows('grep', { pattern: 'One', context: 1 }), ['a.ts-1-zero', 'a.ts:2:One', 'a.ts-3-two']);
      assert.deepEqual(await rows('grep', { pattern: 'e', limit: 2, offset: 1 }), [
        'a.ts:2:One',
        'a.ts:4:three',
        '[Lines 2-3 of 5. Go on with offset 3.]',
      ]);
      assert.deepEqual(await rows('grep', { pattern: 'absent' }), ['[No line matches absent.]']);
      assert.deepEqual(await rows('grep', { pattern: 'one', glob: 'b/**' }), ['b/c.md:1:one']);
      assert.deepEqual(await rows('grep', { pattern: '-e', path: 'a.ts' }), ['[No line matches -e.]']);
      assert.match(await bench.fails('grep', { pattern: '(' }), /The search failed: [\s\S]*\(/);
      assert.match(await bench.fails('grep', { pattern: 'x', path: 'gone' }), /gone does not exist/);
    });

    it('A19: a match in one huge line is shown with its surroundings and the column to read on from', async () => {
      await bench.put('bundle.js', `${'\u{1f4c1}'.repeat(300_000)}needle${'漢'.repeat(500_000)}`);
      const [row = ''] = await rows('grep', { pattern: 'needle' });
      const [, shown = '', from, to, all] = /^bundle\.js:1:(.*) \[characters (\d+)-(\d+) of (\d+)\]$/.exec(row) ?? [];
      assert.ok(shown.includes('needle') && shown.isWellFormed() && shown.length <= 400);
      assert.equal(Number(all), 800_006);
      assert.equal(Array.from(shown).length, Number(to) - Number(from) + 1);
      const page = await bench.unasked('read', { path: 'bundle.js', offset: 1, column: Number(from) });
      assert.ok(page.startsWith(shown));
    });

    it('A17: a line is cut on code points at every length around the limit', async () => {
      for (const lead of [398, 399, 400]) {
        await bench.put('a.txt', `${'x'.repeat(lead)}\u{1f4c1}tail\n`);
        const [row = ''] = await rows('grep', { pattern: '^x' });
        assert.ok(row.isWellFormed() && !row.includes('\ufffd'), String(lead));
        // The folder takes two UTF-16 units: after 399 letters it does not fit any more.
        assert.match(row, new RegExp(`\\[characters 1-${lead === 398 ? 399 : lead} of ${lead + 5}\\]$`));
      }
      // The excerpt begins 100 units before the match, which is in the middle of a folder for every second one.
      for (const lead of ['', 'x']) {
        await bench.put(
          'a.txt',
          `${lead}${'\u{1f4c1}'.repeat(300)}${lead ? '' : 'y'}needle${'\u{1f4c1}'.repeat(300)}\n`,
        );
        const [row = ''] = await rows('grep', { pattern: 'needle' });
        const [, shown = '', from, to] = /^a\.txt:1:(.*) \[characters (\d+)-(\d+) of 607\]$/u.exec(row) ?? [];
        assert.ok(shown.isWellFormed() && shown.includes('needle'), row);
        assert.equal(Array.from(shown).length, Number(to) - Number(from) + 1);
      }
    });

    it('A18: UTF-16 and a byte order mark do not hide text', async () => {
      await bench.put('wide.txt', Buffer.from('\ufeffneedle\r\n', 'utf16le'));
      await bench.put('bom.txt', '\ufeffneedle\n');
      assert.deepEqual(await rows('grep', { pattern: '^needle' }), ['bom.txt:1:needle', 'wide.txt:1:needle']);
    });

    it('A20, A26: odd names are found, passed on as they are, and can be fed back to read', async () => {
      const names = [
        'a b.md',
        '(x) [y].md',
        'a\u00a0b.txt',
        'e\u0301.txt',
        'a;id.txt',
        '$(id).txt',
        '-rf.txt',
        '"q".txt',
        '{a,b}.md',
        'back\\slash.txt',
      ];
      for (const file of names) await bench.put(file, `needle in ${file}\n`);
      const found = (await rows('glob', { pattern: '*' })).sort();
      assert.deepEqual(found, [...names].sort());
      for (const row of await rows('grep', { pattern: 'needle' })) {
        const [file = ''] = row.split(':1:');
        assert.equal(await bench.unasked('read', { path: file }), `1\tneedle in ${file}`);
        assert.deepEqual(await rows('grep', { pattern: 'needle', path: file }), [row]);
        assert.deepEqual(await rows('glob', { pattern: file }), [file]);
      }
    });

    it('A25: links in a circle end at once and each real file is found once', async () => {
      await bench.put('sub/real.txt', 'needle\n');
      await symlink('.', join(bench.root, 'loop'));
      await symlink('../..', join(bench.root, 'sub/up'));
      for (let index = 0; index < 5; index++) {
        await mkdir(join(bench.root, `d${index}`));
        for (let other = 0; other < 5; other++) await symlink(`../d${other}`, join(bench.root, `d${index}/to${other}`));
      }
      await symlink('self', join(bench.root, 'self'));
      const from = performance.now();
      assert.deepEqual(await rows('glob', { pattern: '*.txt' }), ['sub/real.txt']);
      assert.deepEqual(await rows('grep', { pattern: 'needle' }), ['sub/real.txt:1:needle']);
      assert.deepEqual(
        await rows('list', { path: 'd0/to1/to2/to3' }),
        Array.from({ length: 5 }, (_, to) => `to${to}  (link to d${to})`),
      );
      assert.ok(performance.now() - from < 2_000);
    });

    it('A27: a search does not show what a read would ask for', async () => {
      await bench.put('.env', 'KEY=needle\n');
      await bench.put('a.txt', 'needle\n');
      const content = await bench.unasked('grep', { pattern: 'needle' });
      assert.ok(!content.includes('KEY'));
      assert.match(content, /^a\.txt:1:needle\n(\[rip.*\n)?\[Left out as they may hold secrets: \.env\. Give/);
      const { need, execute } = await bench.call('grep', { pattern: 'needle', path: '.env' });
      assert.match(need?.title ?? '', /Search a file that may hold secrets: .*\.env$/);
      assert.match((await execute()).content, /^\.env:1:KEY=needle/);
    });

    it('several workspace folders are searched each, a folder inside another once', async () => {
      await bench.close();
      bench = await ToolBench.open({ roots: ['root', 'root/inner', 'other'], ripgrepPath: path });
      await bench.put('inner/a.txt', 'needle\n');
      await mkdir(join(bench.outer, 'other'));
      await writeFile(join(bench.outer, 'other/b.txt'), 'needle\n');
      const paths = [join(bench.root, 'inner/a.txt'), join(bench.outer, 'other/b.txt')];
      assert.deepEqual((await rows('glob', { pattern: '*.txt' })).sort(), [...paths].sort());
      for (const row of await rows('grep', { pattern: 'needle' })) {
        assert.equal(await bench.unasked('read', { path: row.split(':')[0] ?? '' }), '1\tneedle');
      }
      assert.equal(await bench.unasked('read', { path: 'other/b.txt' }), '1\tneedle');
    });

    it('A25: a workspace opened through a link is searched', async () => {
      await bench.close();
      bench = await ToolBench.open({ roots: ['linked'], ripgrepPath: path });
      await symlink(bench.root, join(bench.outer, 'linked'));
      await bench.put('a.txt', 'needle\n');
      assert.deepEqual(await rows('glob', { pattern: '*.txt' }), ['a.txt']);
      assert.deepEqual(await rows('grep', { pattern: 'needle' }), ['a.txt:1:needle']);
    });

    it('a stop ends the search', async () => {
      await bench.put('a.txt', 'needle\n');
      const signal = AbortSignal.abort(new Error('stopped'));
      await assert.rejects(bench.run('grep', { pattern: 'needle' }, signal), /stopped/);
    });
  });
}

describe('grep in plain Node', () => {
  it('says with an invalid pattern too that it is not ripgrep’s kind of expression', async () => {
    const bench = await ToolBench.open();
    assert.match(
      await bench.fails('grep', { pattern: '(?i)a' }),
      /^The search failed: Invalid regular expression: .*\n\[ripgrep was not found: .* JavaScript's regular expressions/,
    );
    await bench.close();
  });

  it('finds more files than a function call takes arguments', async () => {
    const bench = await ToolBench.open();
    class Many extends NodeFiles {
      override async list(): Promise<{ name: string; kind: 'file' }[]> {
        return Array.from({ length: 200_000 }, (_, index) => ({ name: `f${index}`, kind: 'file' }));
      }
    }
    const files = new Many({ roots: () => [bench.root], readableRoots: [] });
    const { content } = await globTool.execute({ pattern: '*', limit: 1 }, { ...bench.context, files });
    assert.match(content, /^f0\n\[Files 1-1 of 200000\. Go on with offset 1\.\]/);
    await bench.close();
  });

  it('a regular expression that would run for ever is ended', async () => {
    const bench = await ToolBench.open();
    await bench.put('a.txt', `${'a'.repeat(60)}!\n`);
    const from = performance.now();
    assert.match(await bench.fails('grep', { pattern: '^(a+)+$' }), /The search failed: .*timed out/);
    assert.ok(performance.now() - from < 10_000);
    await bench.close();
  });
});

describe('grep and glob when ripgrep does not finish', () => {
  it('say that the result is not complete', async () => {
    const bench = await ToolBench.open();
    const ends = [
      [{ timedOut: true, cut: false }, /Not complete: the search was ended after 30 s/],
      [{ timedOut: false, cut: true }, /Not complete: more than 20 MB were found/],
      [{ timedOut: false, cut: false }, /Not complete: ripgrep was ended by the system/],
    ] as const;
    for (const [end, note] of ends) {
      const processes = { ...bench.context.processes, run: async () => ({ exitCode: undefined, output: '', ...end }) };
      const context = { ...bench.context, ripgrepPath: '/rg', processes: processes as typeof bench.context.processes };
      assert.match((await grepTool.execute({ pattern: 'x' }, context)).content, note);
      assert.match((await globTool.execute({ pattern: 'x' }, context)).content, note);
    }
    await bench.close();
  });
});
