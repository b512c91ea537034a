import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from './conversation.ts';
import { conversationIn } from './realWorkspace.ts';

describe('the built-in model over the real tools', () => {
  let root = '';
  let talk: Conversation;

  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'steiner-offline-')));
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'README.md'), '# Cashier\n\nPrints bills.\n');
    await writeFile(
      join(root, 'src/basket.ts'),
      `${'// filler\n'.repeat(150)}export function totalWithDiscount(price: number) {\r\n  return price * 0.9;\r\n}\r\n`,
    );
    talk = conversationIn(root);
  });

  after(() => rm(root, { recursive: true, force: true }));

  it('lists, finds and searches', async () => {
    assert.match((await talk.ask('list files')).answer, /README\.md {2}\d+ bytes\nsrc\//);
    assert.match((await talk.ask('find files *.ts')).answer, /matches 1 in the workspace:\n\n- `src\/basket\.ts`/);
    assert.match((await talk.ask('search totalwithdiscount')).answer, /1 line in 1 file:\n\n- `src\/basket\.ts:151`/);
    assert.match((await talk.ask('search absentWord')).answer, /found nothing/);
    assert.match((await talk.ask('list files in nowhere')).answer, /did not work/);
  });

  it('answers a question about the part of a long file that matters', async () => {
    const { answer, calls } = await talk.ask('Where is the discount computed?');
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['list', 'grep', 'read'],
    );
    assert.match(answer, /`src\/basket\.ts:151`: `export function totalWithDiscount\(price: number\) \{`/);
  });

  it('reads about the project, and a file that it has to look for', async () => {
    assert.match((await talk.ask('What is this project?')).answer, /`README\.md:1`: `# Cashier`/);
    assert.match((await talk.ask('read basket.ts lines 151-152')).answer, /151\texport function/);
    assert.match((await talk.ask('read missing.ts')).answer, /no file `missing\.ts`/);
  });

  it('edits, creates and runs', async () => {
    assert.match((await talk.ask('replace price with amount in src/basket.ts')).answer, /2 places replaced/);
    await talk.ask('change line 152 of src/basket.ts to "return amount * 0.8;"');
    const text = await readFile(join(root, 'src/basket.ts'), 'utf8');
    assert.ok(text.endsWith('totalWithDiscount(amount: number) {\r\n  return amount * 0.8;\r\n}\r\n'));
    await talk.ask('create notes/today.md with content: done');
    assert.equal(await readFile(join(root, 'notes/today.md'), 'utf8'), 'done\n');
    assert.match((await talk.ask('run echo hello; exit 3')).answer, /ended with exit code 3[\s\S]*hello/);
    assert.match((await talk.ask('run echo fine')).answer, /ended with exit code 0[\s\S]*fine/);
  });
});
