import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import { editTool } from '../../../src/core/tools/edit.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import type { WorkspaceFiles } from '../../../src/core/tools/ports.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';
import { writeTool } from '../../../src/core/tools/write.ts';
import { editorFiles } from '../../../src/host/editor/editorFiles.ts';

const BOM = '\ufeff';
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(`${BOM}${text}`, 'utf16le');

describe('files through the editor', () => {
  let root: string;
  let files: WorkspaceFiles;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'steiner-editor-')));
    files = editorFiles(new NodeFiles({ roots: () => [root], readableRoots: [] }));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(root, { recursive: true, force: true });
  });

  const at = (name: string) => join(root, name);
  const bytesOf = (name: string) => readFile(at(name));
  const textOf = (name: string) => readFile(at(name), 'utf8');

  async function shown(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(vscode.Uri.file(at(name)), { preview: false });
  }

  /** As a person types: the buffer changes, the file does not. */
  async function typed(editor: vscode.TextEditor, line: number, text: string): Promise<void> {
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text)));
    assert.equal(editor.document.isDirty, true);
  }

  /** The tools as the agent runs them, the question to the user included. */
  async function edit(path: string, old_text: string, new_text: string): Promise<ToolOutcome> {
    const args = { path, old_text, new_text };
    await editTool.approval(args, context());
    return editTool.execute(args, context());
  }

  async function write(path: string, content: string): Promise<ToolOutcome> {
    const args = { path, content };
    await writeTool.approval(args, context());
    return writeTool.execute(args, context());
  }

  function context(): Parameters<typeof editTool.execute>[1] {
    const unused = () => Promise.reject(new Error('The file tools start no process.'));
    return {
      files,
      processes: { shell: unused, run: unused },
      ripgrepPath: undefined,
      history: new Lineage(),
      clock: { now: () => 0, sleep: unused },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
  }

  describe('undo and unsaved text', () => {
    it('an edit is saved, and undo in the editor brings the old text back', async () => {
      await writeFile(at('a.ts'), 'one\ntwo\nthree\n');
      const { document } = await shown('a.ts');
      assert.equal((await edit('a.ts', 'two', 'zwei')).status, 'ok');
      assert.equal(await textOf('a.ts'), 'one\nzwei\nthree\n');
      assert.equal(document.getText(), 'one\nzwei\nthree\n');
      assert.equal(document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'one\ntwo\nthree\n');
    });

    it('a file that no editor shows can be undone after it is opened', async () => {
      await writeFile(at('closed.ts'), 'one\ntwo\n');
      assert.equal((await edit('closed.ts', 'two', 'zwei')).status, 'ok');
      const { document } = await shown('closed.ts');
      assert.equal(document.getText(), 'one\nzwei\n');
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'one\ntwo\n');
    });

    it('an edit leaves the cursor of the user where it is', async () => {
      await writeFile(at('a.ts'), 'one\ntwo\nthree\n');
      const editor = await shown('a.ts');
      editor.selection = new vscode.Selection(2, 3, 2, 3);
      await edit('a.ts', 'two', 'zwei');
      assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [2, 3]);
    });

    it('read gives the unsaved buffer, in the encoding of the file', async () => {
      await writeFile(at('a.txt'), utf16('one\n'));
      await typed(await shown('a.txt'), 1, 'two\n');
      assert.deepEqual(Buffer.from(await files.read(at('a.txt'))), utf16('one\ntwo\n'));
      assert.deepEqual(await bytesOf('a.txt'), utf16('one\n'));
    });

    it('an edit of an unsaved buffer keeps what the user typed, saves both, and undo takes back only the edit', async () => {
      await writeFile(at('a.ts'), 'one\ntwo\nthree\n');
      const editor = await shown('a.ts');
      await typed(editor, 0, '// mine\n');
      assert.equal((await edit('a.ts', 'three', 'drei')).status, 'ok');
      assert.equal(await textOf('a.ts'), '// mine\none\ntwo\ndrei\n');
      assert.equal(editor.document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), '// mine\none\ntwo\nthree\n');
    });

    it('an edit finds text that only the buffer holds', async () => {
      await writeFile(at('a.ts'), 'one\n');
      await typed(await shown('a.ts'), 1, 'unsaved\n');
      assert.equal((await edit('a.ts', 'unsaved', 'saved')).status, 'ok');
      assert.equal(await textOf('a.ts'), 'one\nsaved\n');
    });

    it('what is typed between reading and writing is never overwritten', async () => {
      await writeFile(at('a.ts'), 'one\n');
      const editor = await shown('a.ts');
      await files.read(at('a.ts'));
      await typed(editor, 1, 'typed meanwhile\n');
      await assert.rejects(files.write(at('a.ts'), utf8('eins\n')), /changed in the editor/);
      assert.equal(editor.document.getText(), 'one\ntyped meanwhile\n');
      assert.equal(await textOf('a.ts'), 'one\n');
    });

    it('a file that a command changed a moment ago is edited as it is on disk', async () => {
      await writeFile(at('a.ts'), 'one\n');
      const { document } = await shown('a.ts');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await writeFile(at('a.ts'), 'one, changed by a command\n');
      assert.equal((await edit('a.ts', 'one', 'eins')).status, 'ok');
      assert.equal(await textOf('a.ts'), 'eins, changed by a command\n');
      assert.equal(document.getText(), 'eins, changed by a command\n');
      assert.equal(document.isDirty, false);
    });

    it('a file that changed on disk under unsaved text: refused, and neither side is lost', async () => {
      await writeFile(at('a.ts'), 'one\n');
      const editor = await shown('a.ts');
      await typed(editor, 0, '// mine\n');
      // Later than the time stamp that the editor knows.
      await new Promise((resolve) => setTimeout(resolve, 20));
      await writeFile(at('a.ts'), 'changed by another program\n');
      const outcome = await edit('a.ts', 'one', 'eins');
      assert.equal(outcome.status, 'error');
      assert.match(outcome.content, /not save/);
      assert.equal(await textOf('a.ts'), 'changed by another program\n');
      assert.equal(editor.document.getText(), '// mine\none\n');
    });
  });

  describe('A18: bytes outside the edit stay as they are', () => {
    /** Two adjacent lines with LF in the search text, twice, then the whole file. */
    const forms: [string, (text: string) => Buffer][] = [
      ['LF', (text) => utf8(text)],
      ['CRLF', (text) => utf8(text.replaceAll('\n', '\r\n'))],
      ['CRLF with BOM', (text) => utf8(BOM + text.replaceAll('\n', '\r\n'))],
      ['UTF-16LE with BOM', (text) => utf16(text)],
      ['no final newline', (text) => utf8(text.replace(/\n$/, ''))],
    ];
    for (const [form, encode] of forms) {
      for (const open of [true, false]) {
        it(`${form}, ${open ? 'open in an editor' : 'not open'}`, async () => {
          await writeFile(at('f.txt'), encode('eins\nzwei\ndrei\nvier\n'));
          if (open) await shown('f.txt');
          assert.equal((await edit('f.txt', 'zwei\ndrei', 'two\nthree')).status, 'ok');
          assert.deepEqual(await bytesOf('f.txt'), encode('eins\ntwo\nthree\nvier\n'));
          assert.equal((await edit('f.txt', 'eins\ntwo', 'one\n2')).status, 'ok');
          assert.deepEqual(await bytesOf('f.txt'), encode('one\n2\nthree\nvier\n'));
          const whole = form === 'no final newline' ? 'alles\nneu' : 'alles\nneu\n';
          assert.equal((await write('f.txt', whole)).status, 'ok');
          assert.deepEqual(await bytesOf('f.txt'), encode(whole));
        });
      }
    }

    it('mixed line endings', async () => {
      await writeFile(at('m.txt'), 'a\r\nb\nc\r\nd\n');
      const { document } = await shown('m.txt');
      assert.equal((await edit('m.txt', 'b', 'B')).status, 'ok');
      assert.equal(await textOf('m.txt'), 'a\r\nB\nc\r\nd\n');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.match(document.getText(), /B/);
      assert.equal(document.isDirty, false);
    });

    it('a change of nothing but the line endings', async () => {
      await writeFile(at('e.txt'), 'a\nb\n');
      await shown('e.txt');
      await files.write(at('e.txt'), utf8('a\r\nb\r\n'));
      assert.equal(await textOf('e.txt'), 'a\r\nb\r\n');
    });

    it('a byte order mark where the open file has none', async () => {
      await writeFile(at('b.txt'), 'a\n');
      await shown('b.txt');
      await files.write(at('b.txt'), utf8(`${BOM}b\n`));
      assert.deepEqual(await bytesOf('b.txt'), utf8(`${BOM}b\n`));
    });

    for (const open of [true, false]) {
      it(`characters that share half of a surrogate pair, ${open ? 'open in an editor' : 'not open'}`, async () => {
        await writeFile(at('u.txt'), 'x 😀 y\n');
        if (open) await shown('u.txt');
        assert.equal((await edit('u.txt', '😀', '😁')).status, 'ok');
        assert.equal(await textOf('u.txt'), 'x 😁 y\n');
      });
    }
  });

  describe('files that are new, gone, locked or no text', () => {
    it('a new file, parent folders included', async () => {
      assert.equal((await write('deep/er/new.ts', 'hello\n')).status, 'ok');
      assert.equal(await textOf('deep/er/new.ts'), 'hello\n');
    });

    it('a file deleted meanwhile: edit says so; write makes it anew', async () => {
      await writeFile(at('gone.ts'), 'one\n');
      const { document } = await shown('gone.ts');
      await rm(at('gone.ts'));
      const outcome = await edit('gone.ts', 'one', 'eins');
      assert.equal(outcome.status, 'error');
      assert.match(outcome.content, /does not exist/);
      assert.equal((await write('gone.ts', 'new\n')).status, 'ok');
      assert.equal(await textOf('gone.ts'), 'new\n');
      assert.equal(document.isDirty, false);
    });

    it('a read-only file: a clear refusal; file and buffer unchanged', async () => {
      await writeFile(at('locked.ts'), 'one\n');
      await chmod(at('locked.ts'), 0o444);
      const { document } = await shown('locked.ts');
      const outcome = await edit('locked.ts', 'one', 'eins');
      assert.equal(outcome.status, 'error');
      assert.match(outcome.content, /locked\.ts.*read-only/);
      assert.equal(await textOf('locked.ts'), 'one\n');
      assert.equal(document.getText(), 'one\n');
      assert.equal(document.isDirty, false);
    });

    it('a folder in the place of a file', async () => {
      await mkdir(at('folder'));
      assert.equal((await write('folder', 'text')).status, 'error');
    });

    it('binary: an edit is refused; write puts down exactly the bytes it is given', async () => {
      const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff]);
      await writeFile(at('p.png'), bytes);
      assert.match((await edit('p.png', 'x', 'y')).content, /PNG/);
      assert.deepEqual(await bytesOf('p.png'), bytes);
      const other = Buffer.from([0, 0xff, 0xfe, 0x0d, 0x0a, 0]);
      await files.write(at('p.png'), other);
      assert.deepEqual(await bytesOf('p.png'), other);
    });
  });
});
