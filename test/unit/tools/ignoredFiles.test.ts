import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ripgrepOfThisMachine, ToolBench } from './toolBench.ts';

for (const [name, path] of [
  ['ripgrep', ripgrepOfThisMachine()],
  ['plain Node', undefined],
] as const) {
  describe(`what .gitignore hides from glob and grep with ${name}`, () => {
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

    const rows = async (tool: string, args: object) =>
      (await bench.unasked(tool, args)).replace(/\n\[ripgrep was not found[^\n]*\]/, '').split('\n');

    it('what it names is left out, also with a pattern that names it, unless the search begins there', async () => {
      await bench.put('.gitignore', 'dist/\n*.log\n');
      await bench.put('pkg/.gitignore', '/local.txt\n!keep.log\n');
      const files = [
        'dist/out.txt',
        'a.log',
        'node_modules/m/index.txt',
        'pkg/local.txt',
        'pkg/sub/local.txt',
        'pkg/keep.log',
        'a.txt',
      ];
      for (const file of files) await bench.put(file, 'needle\n');
      assert.deepEqual(await rows('glob', { pattern: '**/*' }), [
        '.gitignore',
        'a.txt',
        'pkg/.gitignore',
        'pkg/keep.log',
        'pkg/sub/local.txt',
      ]);
      assert.deepEqual(await rows('glob', { pattern: '*.log' }), ['pkg/keep.log']);
      assert.deepEqual(await rows('grep', { pattern: 'needle', glob: '**/*' }), [
        'a.txt:1:needle',
        'pkg/keep.log:1:needle',
        'pkg/sub/local.txt:1:needle',
      ]);
      assert.deepEqual(await rows('grep', { pattern: 'needle', glob: '*.log' }), ['pkg/keep.log:1:needle']);
      assert.deepEqual(await rows('glob', { pattern: '*.txt', path: 'node_modules/m' }), ['node_modules/m/index.txt']);
      assert.deepEqual(await rows('grep', { pattern: 'needle', path: 'a.log' }), ['a.log:1:needle']);
    });

    it('the .gitignore files above the place that is searched count, as far as the repository reaches', async () => {
      await bench.put('.git/HEAD', 'ref\n');
      await bench.put('.gitignore', '*.log\n/pkg/deep/out.txt\ngenerated/\n');
      await bench.put('pkg/.gitignore', '!kept.log\n');
      for (const file of ['a.log', 'kept.log', 'out.txt', 'in.txt']) await bench.put(`pkg/deep/${file}`, 'needle\n');
      for (const file of ['a.txt', 'sub/b.txt']) await bench.put(`generated/${file}`, '');
      const visible = ['pkg/deep/in.txt', 'pkg/deep/kept.log'];
      assert.deepEqual(await rows('glob', { pattern: '*', path: 'pkg/deep' }), visible);
      assert.deepEqual(
        await rows('grep', { pattern: 'needle', path: 'pkg/deep' }),
        visible.map((file) => `${file}:1:needle`),
      );
      // Its own name is ignored, so whoever searches there means what is in it.
      assert.deepEqual(await rows('glob', { pattern: '*', path: 'generated/sub' }), ['generated/sub/b.txt']);
      await bench.put('vendor/.git/HEAD', 'ref\n');
      await bench.put('vendor/own.log', '');
      assert.deepEqual(await rows('glob', { pattern: '*', path: 'vendor' }), ['vendor/own.log']);
      assert.deepEqual(await rows('glob', { pattern: '*.log' }), ['pkg/deep/kept.log', 'vendor/own.log']);
    });

    it('a .gitignore above the repository or the workspace folder hides nothing', async () => {
      // One rule names the workspace folder too, the other only what is in it.
      for (const rules of ['*\n', 'a.txt\n']) {
        await bench.put('../.gitignore', rules);
        await bench.put('a.txt', 'needle\n');
        await bench.put('.gitignore', '*.log\n');
        await bench.put('a.log', 'needle\n');
        const check = async () => {
          assert.deepEqual(await rows('glob', { pattern: 'a.*' }), ['a.txt']);
          assert.deepEqual(await rows('grep', { pattern: 'needle' }), ['a.txt:1:needle']);
        };
        await check();
        await bench.put('.git/HEAD', 'ref\n');
        await check();
        await bench.put('pkg/a.txt', '');
        assert.deepEqual(await rows('glob', { pattern: 'a.*', path: 'pkg' }), ['pkg/a.txt']);
        await rm(join(bench.root, 'pkg'), { recursive: true });
        await rm(join(bench.root, '.git'), { recursive: true });
      }
    });

    it('without a repository the .gitignore files of the workspace folder count all the same', async () => {
      await bench.put('.gitignore', '*.log\n');
      for (const file of ['a.log', 'a.txt']) await bench.put(`pkg/${file}`, 'needle\n');
      assert.deepEqual(await rows('glob', { pattern: 'a.*', path: 'pkg' }), ['pkg/a.txt']);
      assert.deepEqual(await rows('grep', { pattern: 'needle', path: 'pkg' }), ['pkg/a.txt:1:needle']);
      assert.deepEqual(await rows('grep', { pattern: 'needle' }), ['pkg/a.txt:1:needle']);
    });

    it('a .gitignore in a folder whose name looks like a pattern speaks about that folder', async () => {
      await bench.put('app/[id]/.gitignore', 'local.txt\n');
      for (const file of ['app/[id]/local.txt', 'app/[id]/s/local.txt', 'app/i/local.txt']) await bench.put(file, '');
      assert.deepEqual(await rows('glob', { pattern: 'local.txt' }), ['app/i/local.txt']);
    });
  });
}
