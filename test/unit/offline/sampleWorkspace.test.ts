import assert from 'node:assert/strict';
import { access, cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from '../../../webview/items/emptyState.ts';
import type { Conversation } from './conversation.ts';
import { conversationIn } from './realWorkspace.ts';

const HELP = /\n- `search parseConfig`\n[\s\S]*`Steiner: Set API Key`\.$/;

/** What each example's answer must quote. */
const FACTS: readonly RegExp[][] = [
  [/`README\.md:\d+`: `A small library that plans hiking days/, /`src\/route\.ts`: the data/, /^package\.json/m],
  [/`src\/\w+\.ts:\d+`: `export function total(?:Distance|Climb)/, /`src\/days\.ts:5`: `export function planDays/],
  [/`test\/days\.test\.ts:\d+`: `test\('a new day begins/, /run with/],
];

describe('the built-in model in the sample workspace', () => {
  let root = '';
  let talk: Conversation;
  const text = (path: string) => readFile(join(root, path), 'utf8');

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'steiner-offline-')));
    await cp('test/fixtures/sample-workspace', root, { recursive: true });
    talk = conversationIn(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('the start screen has three examples', () => assert.equal(EXAMPLES.length, FACTS.length));

  EXAMPLES.forEach((example, index) => {
    it(`answers the start screen's example from files: ${example}`, async () => {
      const { answer, calls } = await talk.ask(example);
      assert.ok(calls.length >= 2 && calls.some(({ name }) => name === 'read'), JSON.stringify(calls));
      for (const fact of FACTS[index] ?? []) assert.match(answer, fact);
    });
  });

  it('replaces where the file is named first, in the case that stands there', async () => {
    const { answer, calls } = await talk.ask('In README.md replace the word "trail" with "path"');
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['read', 'edit'],
    );
    assert.match(await text('README.md'), /^# Path planner$/m);
    assert.match(answer, /`Trail` by `Path`/);
    await talk.ask('In src/time.ts replace "walking" with "strolling"');
    assert.match(await text('src/time.ts'), /^export function strollingTime\(/m);
    assert.doesNotMatch(await text('src/time.ts'), /walking/);
  });

  it('creates a file whose text is spelled out', async () => {
    await talk.ask('create a file notes.txt with the text "hello there"');
    assert.equal(await text('notes.txt'), 'hello there\n');
    await talk.ask('Write a new file called greeting.md that says "Good day".');
    assert.equal(await text('greeting.md'), 'Good day\n');
  });

  for (const [request, path] of [
    ['write a new file hello.py that prints hello', 'hello.py'],
    ['create sum.py with a function that adds two numbers', 'sum.py'],
  ] as const) {
    it(`says that it writes only what is spelled out: ${request}`, async () => {
      const { answer, calls } = await talk.ask(request);
      assert.deepEqual(calls, []);
      await assert.rejects(access(join(root, path)));
      assert.match(answer, new RegExp(`only text that is spelled out, so I did not create \`${path}\``));
      assert.match(answer, HELP);
    });
  }

  for (const request of ['find the tests and run them', 'Look for duplicated code and suggest what to merge.']) {
    it(`says what it can do instead of searching for the sentence: ${request}`, async () => {
      const { answer, calls } = await talk.ask(request);
      assert.deepEqual(calls, []);
      assert.match(answer, /several things at once/);
      assert.match(answer, HELP);
    });
  }

  it('searches for the words of a long phrase, not for the phrase', async () => {
    const { answer } = await talk.ask('find where planDays splits the legs into days');
    assert.match(answer, /`src\/days\.ts:5`: `export function planDays/);
  });

  for (const request of [
    'Fix the bug in planDays',
    'Why is the sky blue?',
    'How does the quantum scheduler balance threads?',
    'run the tests',
    'Rewrite gone.ts',
    'asdf',
  ]) {
    it(`ends with what it can do: ${request}`, async () => {
      await talk.ask('hello');
      assert.match((await talk.ask(request)).answer, HELP);
    });
  }
});
