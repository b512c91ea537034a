import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { editTool } from '../../../src/core/tools/edit.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { writeTool } from '../../../src/core/tools/write.ts';
import { ToolBench } from './toolBench.ts';

describe('write and edit', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
  });
  afterEach(() => bench.close());

  it('asks with a diff before it creates, overwrites or edits, and changes nothing while asking', async () => {
    const create = await bench.call('write', { path: 'src/new.ts', content: 'a\nb\n' });
    assert.equal(create.need?.title, 'Create src/new.ts');
    assert.equal(create.need?.sessionKey, 'edits');
    assert.equal(create.need?.detailKind, 'diff');
    assert.match(create.need?.detail ?? '', /^--- src\/new\.ts[\s\S]*\+a\n\+b\n/);
    await assert.rejects(bench.text('src/new.ts'), /ENOENT/);
    const created = await create.execute();
    assert.equal(created.content, 'Created src/new.ts, 2 lines.');
    assert.equal(created.detail?.fileHash, createHash('sha256').update('a\nb\n').digest('hex'));
    assert.equal(await bench.text('src/new.ts'), 'a\nb\n');

    const overwrite = await bench.call('write', { path: 'src/new.ts', content: 'a\nc\n' });
    assert.equal(overwrite.need?.title, 'Overwrite src/new.ts');
    assert.match(overwrite.need?.detail ?? '', / a\n-b\n\+c\n/);
    await overwrite.execute();
    const edit = await bench.call('edit', { path: 'src/new.ts', old_text: 'c', new_text: 'd' });
    assert.equal(edit.need?.title, 'Edit src/new.ts');
    assert.match(edit.need?.detail ?? '', / a\n-c\n\+d\n/);
    const edited = await edit.execute();
    assert.equal(edited.content, 'Edited src/new.ts: 1 place replaced.');
    assert.equal(edited.detail?.diff, edit.need?.detail);
    assert.equal(await bench.text('src/new.ts'), 'a\nd\n');
  });

  it('an edit that cannot be made fails unasked, with the reason', async () => {
    await bench.put('a.ts', 'if (x) {\n    go();\n}\nif (x) {\n  stop();\n}\n');
    const before = await bench.text('a.ts');
    const reasons = {
      'nowhere in it': /old_text was not found\. The file may have changed: read it again\./,
      ' stop();  ': /It is there with other white space around it/,
      'if (x) { go(); }': /It is there with other indentation/,
      'if (x) {': /stands in 2 places \(lines 1, 4\)\. Add neighbouring lines to make it unique, or set replace_all\./,
    };
    for (const [old_text, reason] of Object.entries(reasons)) {
      const { need, execute } = await bench.call('edit', { path: 'a.ts', old_text, new_text: 'y' });
      assert.equal(need, undefined);
      assert.match((await execute()).content, reason);
    }
    assert.match(
      await bench.fails('edit', { path: 'a.ts', old_text: 'go();', new_text: 'go();' }),
      /nothing to change/,
    );
    assert.match(
      await bench.fails('edit', { path: 'a.ts', old_text: 'go();\n', new_text: 'go();\r\n' }),
      /nothing to change/,
    );
    assert.match(
      await bench.fails('edit', { path: 'b.ts', old_text: 'x', new_text: 'y' }),
      /does not exist\. Use write/,
    );
    assert.match(await bench.fails('edit', { path: '.', old_text: 'x', new_text: 'y' }), /is not a file/);
    assert.match(await bench.fails('write', { path: '.', content: 'y' }), /not a file that can be written/);
    assert.equal(await bench.text('a.ts'), before);
  });

  it('an edit that failed when the user would have been asked does not happen later', async () => {
    await bench.put('a.ts', 'one\n');
    const { need, execute } = await bench.call('edit', { path: 'a.ts', old_text: 'two', new_text: 'three' });
    assert.equal(need, undefined);
    await bench.put('a.ts', 'two\n');
    assert.match((await execute()).content, /Nothing was written/);
    assert.equal(await bench.text('a.ts'), 'two\n');
  });

  it('replace_all replaces every place; characters with a meaning in patterns are plain text', async () => {
    await bench.put('a.ts', 'f($1).*\nf($1).*\nfx$1y.z\n');
    const { content } = await bench.run('edit', {
      path: 'a.ts',
      old_text: 'f($1).*',
      new_text: '$&$1\\n',
      replace_all: true,
    });
    assert.equal(content, 'Edited a.ts: 2 places replaced.');
    assert.equal(await bench.text('a.ts'), '$&$1\\n\n$&$1\\n\nfx$1y.z\n');
  });

  const text = ['// Grüße', 'const a = 1;', 'const b = 2;', 'const c = 3;', 'end'];
  const forms: Record<string, Buffer> = {
    LF: Buffer.from(text.join('\n')),
    CRLF: Buffer.from(text.join('\r\n')),
    'CRLF with a byte order mark': Buffer.from(`\ufeff${text.join('\r\n')}\r\n`),
    'mixed endings': Buffer.from('// Grüße\nconst a = 1;\r\nconst b = 2;\r\nconst c = 3;\nend\r'),
    'UTF-16LE': Buffer.from(`\ufeff${text.join('\r\n')}\r\n`, 'utf16le'),
    'UTF-16BE': Buffer.from(`\ufeff${text.join('\n')}\n`, 'utf16le').swap16(),
  };
  for (const [name, bytes] of Object.entries(forms)) {
    it(`A18: ${name}: two edits with LF in the search text leave all other bytes alone`, async () => {
      await bench.put('a.ts', bytes);
      const edit = (old_text: string, new_text: string) => bench.run('edit', { path: 'a.ts', old_text, new_text });
      assert.equal((await edit('const a = 1;\nconst b = 2;', 'let a = 1;\nlet b = 2;')).status, 'ok');
      assert.equal((await edit('let a = 1;\nlet b = 2;', 'let a = 1;\nlet b = 3;')).status, 'ok');
      const swap = (source: Buffer) => (name === 'UTF-16BE' ? Buffer.from(source).swap16() : source);
      const coding = name.startsWith('UTF-16') ? 'utf16le' : 'utf8';
      const expected = swap(bytes)
        .toString(coding)
        .replace('const a = 1;', 'let a = 1;')
        .replace('const b = 2;', 'let b = 3;');
      assert.deepEqual(swap(await bench.bytes('a.ts')).toString(coding), expected);
    });

    it(`A18: ${name}: overwriting keeps byte order mark and line ending`, async () => {
      await bench.put('a.ts', bytes);
      const asked = await bench.call('write', { path: 'a.ts', content: '\ufeff// Grüße\nconst z = 9;\n' });
      const ending = name.startsWith('CRLF') || name === 'UTF-16LE' ? '\r\n' : '\n';
      // The question shows only what changes: the first line stays.
      assert.match(asked.need?.detail ?? '', /\n \/\/ Grüße/);
      await asked.execute();
      const marked = name.includes('mark') || name.startsWith('UTF-16');
      const wanted = `${marked ? '\ufeff' : ''}// Grüße${ending}const z = 9;${ending}`;
      const found = await bench.bytes('a.ts');
      const plain = name === 'UTF-16BE' ? Buffer.from(found).swap16() : found;
      assert.equal(plain.toString(name.startsWith('UTF-16') ? 'utf16le' : 'utf8'), wanted);
    });
  }

  it('A18: an edit that brings new lines into a CRLF file brings them as CRLF, also without a final line break', async () => {
    await bench.put('a.txt', 'one\r\ntwo');
    await bench.run('edit', { path: 'a.txt', old_text: 'two', new_text: 'two\nthree' });
    assert.equal(await bench.text('a.txt'), 'one\r\ntwo\r\nthree');
  });

  it('A18: a byte order mark in the new text does not become a second one, nor a first one', async () => {
    for (const [mark, name] of [
      ['\ufeff', 'marked.txt'],
      ['', 'plain.txt'],
    ] as const) {
      await bench.put(name, `${mark}one\ntwo\n`);
      await bench.run('edit', { path: name, old_text: 'one', new_text: '\ufeffuno' });
      assert.equal(await bench.text(name), `${mark}uno\ntwo\n`);
    }
  });

  it('a file that may not be written is an error that says so, and stays', async () => {
    await bench.put('locked.txt', 'one\n');
    class Locked extends NodeFiles {
      override async write(path: string): Promise<void> {
        throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
      }
    }
    const context = { ...bench.context, files: new Locked({ roots: () => [bench.root], readableRoots: [] }) };
    const outcomes = [
      await editTool.execute({ path: 'locked.txt', old_text: 'one', new_text: 'two' }, context),
      await writeTool.execute({ path: 'locked.txt', content: 'two\n' }, context),
    ];
    for (const { status, content, detail } of outcomes) {
      assert.equal(status, 'error');
      assert.equal(content, 'locked.txt cannot be accessed: permission denied.');
      assert.equal(detail, undefined);
    }
    assert.equal(await bench.text('locked.txt'), 'one\n');
  });

  it('a path that goes through a file, or that no disk can hold, is an error', async () => {
    await bench.put('a.txt', 'one\n');
    assert.equal(
      await bench.fails('write', { path: 'a.txt/b.txt', content: 'two' }),
      'a.txt/b.txt cannot be created: a part of its path is a file.',
    );
    for (const path of ['a\0b', 'x'.repeat(300)]) {
      for (const [tool, more] of [
        ['read', {}],
        ['write', { content: '' }],
        ['list', {}],
        ['grep', { pattern: 'x' }],
      ] as const)
        await bench.fails(tool, { path, ...more });
    }
    assert.equal(await bench.text('a.txt'), 'one\n');
  });

  it('A18: a new file keeps the form of its content', async () => {
    await bench.run('write', { path: 'a.txt', content: '\ufeffone\r\ntwo\r\n' });
    assert.equal(await bench.text('a.txt'), '\ufeffone\r\ntwo\r\n');
  });

  it('an encoding that cannot be kept is not edited; a binary file can only be replaced', async () => {
    const bytes = Buffer.from('Käse\nMüller\n', 'latin1');
    await bench.put('old.txt', bytes);
    assert.match(
      await bench.fails('edit', { path: 'old.txt', old_text: 'se', new_text: 'x' }),
      /an edit would change bytes outside/,
    );
    assert.deepEqual(await bench.bytes('old.txt'), bytes);
    await bench.put('blob', Buffer.alloc(100));
    assert.match(await bench.fails('edit', { path: 'blob', old_text: 'x', new_text: 'y' }), /is binary data, not text/);
    const { need, execute } = await bench.call('write', { path: 'blob', content: 'text' });
    assert.equal(need?.title, 'Overwrite blob');
    assert.equal((await execute()).content, 'Replaced blob, 1 line.');
  });

  it('A17: half a surrogate pair neither matches half a character nor reaches a file', async () => {
    await bench.put('a.txt', 'x\u{1f4c1}y');
    assert.match(await bench.fails('edit', { path: 'a.txt', old_text: '\ud83d', new_text: 'z' }), /not found/);
    assert.equal(await bench.text('a.txt'), 'x\u{1f4c1}y');
    await bench.put('wide.txt', Buffer.from('\ufeffab', 'utf16le'));
    await bench.run('edit', { path: 'wide.txt', old_text: 'a', new_text: 'a\ud83d' });
    assert.equal((await bench.bytes('wide.txt')).toString('utf16le'), '\ufeffa\ufffdb');
  });
});
