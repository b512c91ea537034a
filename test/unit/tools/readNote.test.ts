import assert from 'node:assert/strict';
import { readNote } from '../../../src/core/conversation/readNote.ts';
import { editTool } from '../../../src/core/tools/edit.ts';
import { readTool } from '../../../src/core/tools/read.ts';
import { writeTool } from '../../../src/core/tools/write.ts';
import { contextOver, MemoryFiles, runTool } from './memoryFiles.ts';

describe('a note about an earlier read', () => {
  const note = readNote({ path: '/w/a.ts', turn: 3, id: 'tool_1', lines: { start: 1, end: 9, total: 9 } });
  let files: MemoryFiles;

  beforeEach(() => {
    files = new MemoryFiles();
    files.texts.set('/w/a.ts', `one\ntwo\n${note} three\n`);
  });

  it('A21: write refuses content that is exactly such a note, without asking', async () => {
    const before = files.texts.get('/w/a.ts');
    for (const content of [note, `\n${note}\n`]) {
      const outcome = await runTool(writeTool, { path: 'a.ts', content }, contextOver(files));
      assert.equal(outcome.status, 'error');
      assert.match(outcome.content, /nothing was written/);
      assert.equal(await writeTool.approval({ path: 'a.ts', content }, contextOver(files)), undefined);
    }
    assert.equal(files.texts.get('/w/a.ts'), before);
  });

  it('A21: edit refuses such a note as the new text, and an edit that would leave nothing else', async () => {
    const before = files.texts.get('/w/a.ts');
    const inserted = await runTool(editTool, { path: 'a.ts', old_text: 'one', new_text: note }, contextOver(files));
    const left = `one\ntwo\n${note} three\n`;
    assert.equal(before, left);
    files.texts.set('/w/a.ts', `${note}x`);
    const remains = await runTool(editTool, { path: 'a.ts', old_text: ']x', new_text: ']' }, contextOver(files));
    assert.deepEqual([inserted.status, remains.status], ['error', 'error']);
    assert.match(inserted.content, /nothing was written/);
    assert.equal(files.texts.get('/w/a.ts'), `${note}x`);
  });

  it('a text that only mentions one is written', async () => {
    const content = `const sample = \`${note}\`;\n`;
    assert.equal((await runTool(writeTool, { path: 'a.ts', content }, contextOver(files))).status, 'ok');
    assert.equal(files.texts.get('/w/a.ts'), content);
  });
});

describe('what a read says of itself', () => {
  const files = new MemoryFiles();
  files.texts.set('/w/a.ts', 'one\ntwo\nthree\n');
  files.texts.set('/w/long.txt', 'x'.repeat(60_000));
  const linesOf = async (input: Record<string, unknown>) => (await runTool(readTool, input, contextOver(files))).detail;

  it('names the lines it returned and how many the file has', async () => {
    assert.deepEqual((await linesOf({ path: 'a.ts' }))?.lines, { start: 1, end: 3, total: 3 });
    assert.deepEqual((await linesOf({ path: 'a.ts', offset: 2, limit: 1 }))?.lines, { start: 2, end: 2, total: 3 });
    assert.deepEqual((await linesOf({ path: 'a.ts', offset: 2, limit: 9 }))?.lines, { start: 2, end: 3, total: 3 });
  });

  it('names no lines where it ends inside one', async () => {
    assert.equal((await linesOf({ path: 'long.txt' }))?.lines, undefined);
    assert.equal((await linesOf({ path: 'a.ts', column: 1 }))?.lines, undefined);
  });
});
