import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeTextFiles } from '../../../src/core/platform/textFiles.ts';
import { type AgentsFilesQuery, loadAgentsFiles } from '../../../src/core/prompt/agentsFiles.ts';

describe('AGENTS.md', () => {
  let base: string;
  let home: string;
  let root: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'agents-')));
    home = join(base, 'home');
    root = join(base, 'work');
    await mkdir(home);
    await mkdir(root);
  });
  afterEach(() => rm(base, { recursive: true }));

  const put = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const load = (query: Partial<AgentsFilesQuery> = {}, files = nodeTextFiles) =>
    loadAgentsFiles({ home, roots: [root], trusted: true, disabledFiles: [], ...query }, files);
  const paths = (result: Awaited<ReturnType<typeof load>>) => result.files.map(({ path }) => path);

  it('is fine to have none', async () => assert.deepEqual(await load(), { files: [], problems: [] }));

  it('takes the first global file and one of each workspace folder, in folder order', async () => {
    const other = join(base, 'a-second');
    const first = await put(join(home, '.steiner/AGENTS.md'), 'global');
    await put(join(home, '.config/steiner/AGENTS.md'), 'not this one');
    const ofRoot = await put(join(root, 'AGENTS.md'), 'root');
    const ofOther = await put(join(other, 'AGENTS.md'), 'other');
    await put(join(root, 'pkg/AGENTS.md'), 'nested files are not part of the prefix');
    const result = await load({ roots: [root, other] });
    assert.deepEqual(result, {
      files: [
        { source: 'global_agents_md', path: first, text: 'global' },
        { source: 'project_agents_md', path: ofRoot, text: 'root' },
        { source: 'project_agents_md', path: ofOther, text: 'other' },
      ],
      problems: [],
    });
  });

  it('falls back to the second global place', async () => {
    const path = await put(join(home, '.config/steiner/AGENTS.md'), 'global');
    assert.deepEqual(paths(await load()), [path]);
  });

  it('A29: gives a file of 45 KB in full, without its byte order mark', async () => {
    const text = '漢é📁 rule\r\n'.repeat(3_000);
    assert.ok(Buffer.byteLength(text) > 45_000);
    await put(join(root, 'AGENTS.md'), `\ufeff${text}`);
    assert.equal((await load()).files[0]?.text, text);
  });

  it('A29: skips an empty file', async () => {
    await put(join(root, 'AGENTS.md'), ' \n\t\n');
    assert.deepEqual(await load(), { files: [], problems: [] });
  });

  it('A29: names a folder called AGENTS.md and goes on', async () => {
    const other = join(base, 'other');
    await mkdir(join(root, 'AGENTS.md'));
    const path = await put(join(other, 'AGENTS.md'), 'other');
    const result = await load({ roots: [root, other] });
    assert.deepEqual(paths(result), [path]);
    assert.deepEqual(
      result.problems.map((problem) => [problem.path, problem.reason]),
      [[join(root, 'AGENTS.md'), 'It is a folder.']],
    );
    assert.ok(result.problems[0]?.advice);
  });

  it('names a file that is not text, is no regular file, or may not be read', async () => {
    const problem = async () => (await load()).problems.map(({ reason }) => reason);
    await writeFile(join(root, 'AGENTS.md'), Uint8Array.of(0xff, 0xfe, 0x41, 0x00));
    assert.deepEqual(await problem(), ['It is not UTF-8 text.']);
    await rm(join(root, 'AGENTS.md'));
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [join(root, 'AGENTS.md')]);
      assert.deepEqual(await problem(), ['It is not a regular file.']);
      await rm(join(root, 'AGENTS.md'));
    }
    await put(join(root, 'AGENTS.md'), 'x');
    const denied = await load(
      {},
      {
        ...nodeTextFiles,
        readText: () => Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })),
      },
    );
    assert.deepEqual(
      denied.problems.map(({ reason }) => reason),
      ['It cannot be read: permission denied.'],
    );
  });

  it('A29: refuses a link to outside visibly; links inside count, each file once', async () => {
    const secret = await put(join(base, 'outside.md'), 'secret');
    const other = join(base, 'other');
    const shared = await put(join(other, 'AGENTS.md'), 'shared');
    await symlink(secret, join(root, 'AGENTS.md'));
    const refused = await load();
    assert.deepEqual(refused.files, []);
    assert.equal(refused.problems[0]?.reason, `It is a link to ${secret}, outside the workspace.`);
    await rm(join(root, 'AGENTS.md'));
    await symlink(shared, join(root, 'AGENTS.md'));
    assert.deepEqual(paths(await load({ roots: [root, other] })), [join(root, 'AGENTS.md')]);
    assert.equal((await load({ roots: [root] })).problems.length, 1);
  });

  it('is not fooled by a sibling whose name begins like the workspace folder', async () => {
    await symlink(await put(join(base, 'work-evil/AGENTS.md'), 'evil'), join(root, 'AGENTS.md'));
    assert.deepEqual((await load()).files, []);
  });

  it('A25: accepts a workspace that is itself reached by a link, and a global file that is a link', async () => {
    await put(join(root, 'AGENTS.md'), 'root');
    await symlink(root, join(base, 'link'));
    await mkdir(join(home, '.steiner'));
    await symlink(await put(join(base, 'dotfiles/AGENTS.md'), 'global'), join(home, '.steiner/AGENTS.md'));
    const { files, problems } = await load({ roots: [join(base, 'link')] });
    assert.deepEqual(
      files.map(({ text }) => text),
      ['global', 'root'],
    );
    assert.deepEqual(problems, []);
  });

  it('skips files that are switched off; the second global place does not step in', async () => {
    const global = await put(join(home, '.steiner/AGENTS.md'), 'global');
    await put(join(home, '.config/steiner/AGENTS.md'), 'second');
    const project = await put(join(root, 'AGENTS.md'), 'root');
    assert.deepEqual(paths(await load({ disabledFiles: [project] })), [global]);
    assert.deepEqual(paths(await load({ disabledFiles: ['~/.steiner/AGENTS.md'] })), [project]);
  });

  it('A28: does not load the files of a workspace that is not trusted', async () => {
    const global = await put(join(home, '.steiner/AGENTS.md'), 'global');
    await mkdir(join(root, 'AGENTS.md'));
    const result = await load({ trusted: false });
    assert.deepEqual(paths(result), [global]);
    assert.deepEqual(result.problems, []);
  });
});
