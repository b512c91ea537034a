import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editTool } from '../../../src/core/tools/edit.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { ToolBench, toolNamed } from './toolBench.ts';

describe('which paths tools use', () => {
  let bench: ToolBench;
  /** A folder whose name begins like the workspace folder's. */
  let evil = '';
  beforeEach(async () => {
    bench = await ToolBench.open();
    evil = join(bench.outer, 'root-evil');
    await mkdir(evil);
    await writeFile(join(evil, 'x.txt'), 'outside\n');
    await bench.put('in.txt', 'inside\n');
  });
  afterEach(() => bench.close());

  const outside = () => readFile(join(evil, 'x.txt'), 'utf8');
  const asks = async (tool: string, args: object) => (await bench.call(tool, args)).need;

  it('A25: reading, listing and searching outside asks and names the real path', async () => {
    await symlink(join(evil, 'x.txt'), join(bench.root, 'link.txt'));
    await symlink(evil, join(bench.root, 'linked'));
    const file = join(evil, 'x.txt');
    for (const path of ['../root-evil/x.txt', file, 'link.txt', 'linked/x.txt', 'sub/../../root-evil/x.txt']) {
      const { need, execute } = await bench.call('read', { path });
      assert.equal(need?.title, `Read outside the workspace: ${file}`, path);
      assert.equal((await execute()).content, '1\toutside');
      assert.equal((await asks('grep', { pattern: 'x', path }))?.title, `Search outside the workspace: ${file}`);
    }
    for (const path of ['../root-evil', evil, 'linked']) {
      assert.equal((await asks('list', { path }))?.title, `List outside the workspace: ${evil}`);
      assert.equal((await asks('glob', { pattern: '*', path }))?.title, `Search outside the workspace: ${evil}`);
    }
    assert.equal(await bench.unasked('read', { path: 'in.txt' }), '1\tinside');
    assert.equal(
      await bench.unasked('list', {}),
      `in.txt  7 bytes\nlink.txt  (link to ${file})\nlinked  (link to ${evil})`,
    );
    assert.equal((await bench.unasked('grep', { pattern: '.' })).includes('outside'), false);
  });

  it('A25: an allowance for the session covers no more than it says', async () => {
    await mkdir(join(evil, 'deep'));
    await writeFile(join(evil, 'id_rsa'), 'key\n');
    const key = async (tool: string, args: object) => (await asks(tool, args))?.sessionKey;
    const read = await key('read', { path: join(evil, 'x.txt') });
    assert.equal(await key('read', { path: join(evil, 'y.txt') }), read);
    assert.notEqual(await key('read', { path: join(evil, 'deep/x.txt') }), read);
    assert.notEqual(await key('read', { path: join(evil, 'id_rsa') }), read);
    assert.notEqual(
      await key('glob', { pattern: '*', path: evil }),
      await key('glob', { pattern: '*', path: bench.outer }),
    );
    assert.notEqual(await key('glob', { pattern: '*', path: evil }), await key('list', { path: evil }));
    const edits = await key('write', { path: 'in.txt', content: '' });
    assert.equal(edits, 'edits');
    assert.equal(await key('edit', { path: 'in.txt', old_text: 'in', new_text: 'out' }), edits);
    assert.notEqual(await key('write', { path: join(evil, 'x.txt'), content: '' }), edits);
    for (const path of ['.git/hooks/pre-commit', '.vscode/tasks.json', 'pkg/.git/config', '.GIT/hooks/pre-push']) {
      assert.notEqual(await key('write', { path, content: '' }), edits, path);
    }
  });

  it('A25: writing outside asks and names the real path; nothing happens unasked', async () => {
    await symlink(join(evil, 'x.txt'), join(bench.root, 'link.txt'));
    await symlink(evil, join(bench.root, 'linked'));
    for (const path of ['../root-evil/x.txt', 'link.txt', 'linked/x.txt']) {
      const { need } = await bench.call('edit', { path, old_text: 'outside', new_text: 'changed' });
      assert.equal(need?.title, `Edit outside the workspace: ${join(evil, 'x.txt')}`);
      assert.equal(
        (await asks('write', { path, content: 'c' }))?.title,
        `Overwrite outside the workspace: ${join(evil, 'x.txt')}`,
      );
    }
    assert.equal(
      (await asks('write', { path: 'linked/new.txt', content: 'c' }))?.title,
      `Create outside the workspace: ${join(evil, 'new.txt')}`,
    );
    assert.equal(await outside(), 'outside\n');
    const { execute } = await bench.call('write', { path: 'link.txt', content: 'changed\n' });
    assert.equal((await execute()).status, 'ok');
    assert.equal(await outside(), 'changed\n');
  });

  it('A25: a dangling link is seen as the place that writing through it would create', async () => {
    await symlink(join(evil, 'new.txt'), join(bench.root, 'dangling'));
    await symlink('../root-evil/deep/new.txt', join(bench.root, 'far'));
    // `..` behind a link means the parent of where the link leads, which plain text rules get wrong.
    await mkdir(join(evil, 'inner'));
    await symlink(join(evil, 'inner'), join(bench.root, 'inner'));
    await symlink('inner/../new.txt', join(bench.root, 'tricky'));
    await symlink('../new.txt', join(evil, 'inner/up'));
    const places = { dangling: 'new.txt', far: 'deep/new.txt', tricky: 'new.txt', 'inner/up': 'new.txt' };
    for (const [path, place] of Object.entries(places)) {
      const need = await asks('write', { path, content: 'c' });
      assert.equal(need?.title, `Create outside the workspace: ${join(evil, place)}`, path);
    }
    assert.match(await bench.fails('read', { path: 'dangling' }), /does not exist/);
  });

  it('A25: a link swapped between the question and the call is caught, for every kind of call', async () => {
    await bench.put('folder/x.txt', 'inside\n');
    const link = join(bench.root, 'link');
    const swap = async () => {
      await rm(link);
      await symlink(evil, link);
    };
    const calls: [string, object][] = [
      ['write', { path: 'link/x.txt', content: 'changed\n' }],
      ['edit', { path: 'link/x.txt', old_text: 'side', new_text: 'changed' }],
      ['read', { path: 'link/x.txt' }],
      ['list', { path: 'link' }],
      ['glob', { pattern: '*', path: 'link' }],
      ['grep', { pattern: 'side', path: 'link' }],
      ['bash', { command: 'cat x.txt', cwd: 'link' }],
    ];
    for (const [tool, args] of calls) {
      await rm(link, { force: true });
      await symlink(join(bench.root, 'folder'), link);
      const { need, execute } = await bench.call(tool, args);
      assert.equal(need?.title.includes('outside') ?? false, false);
      await swap();
      const { status, content } = await execute();
      assert.equal(status, 'error', `${tool}: ${content}`);
      assert.ok(!content.includes('outside\n') && !content.includes('x.txt  '), `${tool}: ${content}`);
      assert.equal(await outside(), 'outside\n');
    }
  });

  it('A25: a command does not run in another folder than the one the user was shown, not even inside', async () => {
    await bench.put('one/x.txt', '1\n');
    await bench.put('two/x.txt', '2\n');
    const link = join(bench.root, 'link');
    await symlink('one', link);
    const { execute } = await bench.call('bash', { command: 'rm x.txt', cwd: 'link' });
    await rm(link);
    await symlink('two', link);
    assert.equal((await execute()).content, 'The command was not run: link leads elsewhere now.');
    assert.equal(await bench.text('two/x.txt'), '2\n');
  });

  it('A25: nothing outside is read or written by a call that nobody was asked about', async () => {
    const file = join(evil, 'x.txt');
    const calls: [string, object][] = [
      ['read', { path: file }],
      ['list', { path: evil }],
      ['glob', { pattern: '*', path: evil }],
      ['grep', { pattern: 'outside', path: evil }],
      ['grep', { pattern: 'outside', path: file }],
      ['write', { path: file, content: 'changed\n' }],
      ['write', { path: join(evil, 'new.txt'), content: 'new\n' }],
      ['edit', { path: file, old_text: 'outside', new_text: 'changed' }],
      ['bash', { command: 'rm x.txt', cwd: evil }],
    ];
    for (const [name, args] of calls) {
      const { status, content } = await toolNamed(name).execute(args, bench.context);
      assert.equal(status, 'error', `${name}: ${content}`);
      assert.doesNotMatch(content, /x\.txt {2}|:1:|\toutside/);
    }
    assert.deepEqual(await readdir(evil), ['x.txt']);
    assert.equal(await outside(), 'outside\n');
  });

  it('A25: a link swapped while the call runs is caught right before the write', async () => {
    await bench.put('folder/x.txt', 'inside\n');
    const link = join(bench.root, 'link');
    await symlink(join(bench.root, 'folder'), link);
    class SwappedAfterRead extends NodeFiles {
      override async read(path: string): Promise<Uint8Array> {
        const bytes = await super.read(path);
        await rm(link);
        await symlink(evil, link);
        return bytes;
      }
    }
    const files = new SwappedAfterRead({ roots: () => [bench.root], readableRoots: [] });
    const args = { path: 'link/x.txt', old_text: 'side', new_text: 'changed' };
    const { content } = await editTool.execute(args, { ...bench.context, files });
    assert.match(content, /Nothing was written/);
    assert.equal(await outside(), 'outside\n');
  });

  it('A25: a link swapped away and back does not carry the text of one file into the other', async () => {
    await bench.put('folder/x.txt', 'inside\n');
    const link = join(bench.root, 'link');
    const leadTo = async (target: string) => {
      await rm(link, { force: true });
      await symlink(target, link);
    };
    const folder = join(bench.root, 'folder');
    await leadTo(folder);
    const args = { path: 'link/x.txt', old_text: 'side', new_text: 'changed' };
    assert.ok(await editTool.approval(args, bench.context));
    await leadTo(evil);
    class SwappedBack extends NodeFiles {
      override async read(path: string): Promise<Uint8Array> {
        const bytes = await super.read(path);
        await leadTo(folder);
        return bytes;
      }
    }
    const files = new SwappedBack({ roots: () => [bench.root], readableRoots: [] });
    assert.match((await editTool.execute(args, { ...bench.context, files })).content, /Nothing was written/);
    assert.equal(await bench.text('folder/x.txt'), 'inside\n');
  });

  it('A25: what was read through a link swapped at that very moment is not shown', async () => {
    await bench.put('folder/x.txt', 'inside\n');
    const link = join(bench.root, 'link');
    await symlink(join(bench.root, 'folder'), link);
    class SwappedBeforeRead extends NodeFiles {
      override async read(path: string): Promise<Uint8Array> {
        await rm(link);
        await symlink(evil, link);
        return super.read(path);
      }
    }
    const files = new SwappedBeforeRead({ roots: () => [bench.root], readableRoots: [] });
    const { status, content } = await toolNamed('read').execute({ path: 'link/x.txt' }, { ...bench.context, files });
    assert.equal(status, 'error');
    assert.equal(content, 'link/x.txt was not read: it leads elsewhere than a moment ago. Call again.');
  });

  it('A25: a link swapped to another place outside is not covered by the answer', async () => {
    const other = join(bench.outer, 'other');
    await mkdir(other);
    await writeFile(join(other, 'x.txt'), 'other\n');
    const link = join(bench.root, 'link');
    await symlink(evil, link);
    const read = await bench.call('read', { path: 'link/x.txt' });
    const write = await bench.call('write', { path: 'link/x.txt', content: 'changed\n' });
    await rm(link);
    await symlink(other, link);
    assert.match((await read.execute()).content, /nobody was asked about/);
    assert.match((await write.execute()).content, /Nothing was written/);
    assert.equal(await readFile(join(other, 'x.txt'), 'utf8'), 'other\n');
  });

  it('A25: a workspace opened through a link works, and its real path counts as inside', async () => {
    await bench.close();
    bench = await ToolBench.open({ roots: ['linked-root'] });
    await symlink(bench.root, join(bench.outer, 'linked-root'));
    await bench.put('in.txt', 'inside\n');
    assert.equal(await bench.unasked('read', { path: 'in.txt' }), '1\tinside');
    assert.equal(await bench.unasked('read', { path: join(bench.root, 'in.txt') }), '1\tinside');
    assert.equal((await asks('write', { path: 'in.txt', content: 'c' }))?.sessionKey, 'edits');
    assert.equal((await bench.run('bash', { command: 'cat in.txt' })).content, 'inside');
  });

  it('A25: links that lead in a circle are an error that says so', async () => {
    await symlink('b', join(bench.root, 'a'));
    await symlink('a', join(bench.root, 'b'));
    assert.match(await bench.fails('read', { path: 'a' }), /links go in a circle/);
    assert.match(await bench.fails('write', { path: 'a', content: 'c' }), /links go in a circle/);
    assert.equal(await bench.unasked('list', {}), 'a  (link in a circle)\nb  (link in a circle)\nin.txt  7 bytes');
  });

  it('A27: a file that may hold secrets is asked for, by its real name', async () => {
    await bench.put('.env', 'KEY=1\n');
    await bench.put('secrets/a.txt', 'a\n');
    // The names in a folder are no secret.
    assert.equal(await asks('list', { path: 'secrets' }), undefined);
    await symlink('.env', join(bench.root, 'harmless.txt'));
    for (const path of ['.env', 'harmless.txt']) {
      const need = await asks('read', { path });
      assert.equal(need?.title, `Read a file that may hold secrets: ${join(bench.root, '.env')}`);
      assert.equal(need?.sessionKey, `secret-read:${join(bench.root, '.env')}`);
    }
  });

  it('the session’s own folder is read unasked, but not written', async () => {
    const session = join(bench.outer, 'session');
    await mkdir(session);
    await writeFile(join(session, 'result.txt'), 'saved\n');
    assert.equal(await bench.unasked('read', { path: join(session, 'result.txt') }), '1\tsaved');
    assert.match(
      await bench.unasked('grep', { pattern: 'saved', path: join(session, 'result.txt') }),
      /result\.txt:1:saved/,
    );
    assert.match(
      (await asks('write', { path: join(session, 'result.txt'), content: '' }))?.title ?? '',
      /outside the workspace/,
    );
  });

  it('bash asks with the exact command and where it runs, and runs inside only', async () => {
    const plain = await asks('bash', { command: 'npm test' });
    assert.equal(plain?.title, 'Run');
    assert.equal(plain?.detail, 'npm test');
    assert.equal(plain?.sessionKey, 'command:npm test');
    await mkdir(join(bench.root, 'sub'));
    const below = await asks('bash', { command: 'npm test', cwd: 'sub' });
    assert.equal(below?.title, 'Run in sub');
    assert.notEqual(below?.sessionKey, plain?.sessionKey);
    assert.equal((await asks('bash', { command: 'npm test', cwd: '.' }))?.sessionKey, plain?.sessionKey);
    assert.equal((await bench.run('bash', { command: 'pwd', cwd: 'sub' })).content, join(bench.root, 'sub'));
    assert.match(await bench.fails('bash', { command: 'pwd', cwd: evil }), /outside the workspace/);
    assert.match(await bench.fails('bash', { command: 'pwd', cwd: 'in.txt' }), /is not a folder/);
  });

  it('with several workspace folders a path may begin with the name of one, and results are absolute', async () => {
    await bench.close();
    bench = await ToolBench.open({ roots: ['root', 'api'] });
    await mkdir(join(bench.outer, 'api'));
    await writeFile(join(bench.outer, 'api/a.ts'), 'api\n');
    assert.equal(await bench.unasked('read', { path: 'api/a.ts' }), '1\tapi');
    assert.equal(await bench.unasked('list', {}), `${bench.root}\n${join(bench.outer, 'api')}`);
    await bench.run('write', { path: 'api/b.ts', content: 'b\n' });
    assert.equal(await readFile(join(bench.outer, 'api/b.ts'), 'utf8'), 'b\n');
    assert.match(
      (await bench.run('read', { path: 'gone.ts' })).content,
      new RegExp(`^${bench.root}/gone\\.ts does not exist`),
    );
  });

  it('without a folder every tool says what is missing', async () => {
    await bench.close();
    bench = await ToolBench.open({ roots: [] });
    const calls: [string, object][] = [
      ['read', { path: 'a' }],
      ['write', { path: 'a', content: '' }],
      ['edit', { path: 'a', old_text: 'a', new_text: 'b' }],
      ['list', {}],
      ['glob', { pattern: '*' }],
      ['grep', { pattern: 'x' }],
      ['bash', { command: 'true' }],
    ];
    for (const [tool, args] of calls) assert.match(await bench.fails(tool, args), /^No folder is open/, tool);
  });
});
