import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProjectContext, type ProjectContextQuery } from '../../../src/core/prompt/projectContext.ts';

describe('project context', () => {
  let base: string;
  let root: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'project-')));
    root = join(base, 'work');
    await mkdir(join(root, 'docs'), { recursive: true });
  });
  afterEach(() => rm(base, { recursive: true }));

  const load = (query: Partial<ProjectContextQuery>) =>
    loadProjectContext({ root, extraFiles: [], ignoreFiles: [], ...query });
  const texts = async (query: Partial<ProjectContextQuery>) => (await load(query)).files.map(({ text }) => text);

  it('reads the named files in order, each once, and passes over missing ones and folders', async () => {
    await writeFile(join(root, 'b.md'), 'B');
    await writeFile(join(root, 'docs/a.md'), 'A');
    const extraFiles = ['b.md', 'docs', 'missing.md', './docs/a.md', 'docs/a.md', 'docs//a.md/'];
    assert.deepEqual(await load({ extraFiles }), {
      files: [
        { path: join(root, 'b.md'), text: 'B' },
        { path: join(root, 'docs/a.md'), text: 'A' },
      ],
      truncated: [],
      problems: [],
    });
  });

  it('leaves out ignored entries by path, file name or end of path', async () => {
    await mkdir(join(root, 'x/docs'), { recursive: true });
    for (const file of ['keep.md', 'docs/a.md', 'x/docs/a.md', 'docs/ba.md']) await writeFile(join(root, file), file);
    const extraFiles = ['keep.md', 'docs/a.md', 'x/docs/a.md', 'docs/ba.md'];
    assert.deepEqual(await texts({ extraFiles, ignoreFiles: ['a.md'] }), ['keep.md', 'docs/ba.md']);
    assert.deepEqual(await texts({ extraFiles, ignoreFiles: ['x/docs/a.md/'] }), [
      'keep.md',
      'docs/a.md',
      'docs/ba.md',
    ]);
    assert.deepEqual(await texts({ extraFiles, ignoreFiles: ['docs/a.md'] }), ['keep.md', 'docs/ba.md']);
  });

  it('A17: cuts at 8,000 bytes on a code point and names every file that lost something', async () => {
    await writeFile(join(root, 'a.md'), `${'x'.repeat(7_998)}📁 tail`);
    await writeFile(join(root, 'b.md'), '漢');
    const { files, truncated } = await load({ extraFiles: ['a.md', 'b.md'] });
    assert.deepEqual(files, [{ path: join(root, 'a.md'), text: 'x'.repeat(7_998) }]);
    assert.deepEqual(truncated, [
      { source: 'project_context', path: join(root, 'a.md'), size: 8_007, kept: 7_998 },
      { source: 'project_context', path: join(root, 'b.md'), size: 3, kept: 0 },
    ]);
  });

  it('takes another budget, but no negative one', async () => {
    await writeFile(join(root, 'a.md'), '123456');
    assert.deepEqual(await texts({ extraFiles: ['a.md'], maxBytes: 4 }), ['1234']);
    await assert.rejects(load({ extraFiles: ['a.md'], maxBytes: -1 }), RangeError);
  });

  it('A25: refuses paths and links that leave the project, and goes on', async () => {
    await writeFile(join(base, 'secret.md'), 'secret');
    await writeFile(join(root, 'a.md'), 'A');
    await symlink(join(base, 'secret.md'), join(root, 'link.md'));
    const { files, problems } = await load({
      extraFiles: ['../secret.md', join(base, 'secret.md'), 'link.md', 'a.md'],
    });
    assert.deepEqual(
      files.map(({ text }) => text),
      ['A'],
    );
    assert.deepEqual(
      problems.map(({ path, reason }) => [path, reason]),
      [
        [join(base, 'secret.md'), 'It lies outside the project.'],
        [join(root, 'link.md'), 'It lies outside the project.'],
      ],
    );
  });
});
