import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prefixBytes } from '../rig/prefix.ts';
import { call, reply, type Step, say } from '../rig/script.ts';
import { type Rig, startRig } from '../rig/server.ts';
import { rigKey } from '../rig/settings.ts';
import { ChatPage } from './chatPage.ts';
import { openWorkbench } from './harness.ts';
import type { Workbench } from './workbench.ts';

const CALLS_PER_TURN = 10;
const filler = 'The build keeps a list of what it has seen. '.repeat(400);

/** Ten calls a turn: reads, searches, edits and commands, then an answer. */
function step(n: number): Step {
  const inTurn = ((n - 1) % CALLS_PER_TURN) + 1;
  if (inTurn === CALLS_PER_TURN) return reply(say(`Turn ${Math.ceil(n / CALLS_PER_TURN)} is done. ${filler}`));
  switch (inTurn % 4) {
    case 0:
      return reply(say(`Command ${n}.`), call('bash', { command: `echo step ${n}` }));
    case 1:
      return reply(say(`Writing ${n}.`), call('write', { path: `notes/${n}.txt`, content: `note ${n}\n` }));
    case 2:
      return reply(call('read', { path: 'README.md' }), call('list', { path: '.' }));
    default:
      return reply(call('grep', { pattern: 'export' }), call('glob', { pattern: '**/*.ts' }));
  }
}

describe('a session of 30 model calls in a real window', () => {
  let rig: Rig;
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    rig = await startRig({ now: () => Date.now() });
    rig.script((_, n) => step(n));
    workbench = await openWorkbench({ env: { ANTHROPIC_API_KEY: rigKey, ANTHROPIC_BASE_URL: rig.baseUrlAnthropic } });
    chat = await ChatPage.open(workbench);
    await chat.selectModel('claude-sonnet-5-5');
  });

  after(async () => {
    await workbench.close();
    await rig.close();
  });

  const logged = (n = -1) => {
    const request = rig.requests.at(n);
    assert.ok(request);
    return request;
  };

  async function sessionFolder(): Promise<string> {
    const root = join(workbench.globalStorageDir(), 'sessions');
    for (const id of await readdir(root)) {
      const log = await readFile(join(root, id, 'log.jsonl'), 'utf8');
      if (log.includes('First: set up the notes')) return join(root, id);
    }
    throw new Error('No session holds the first message.');
  }

  it('runs through the rig with no rule broken', async () => {
    await chat.turn('First: set up the notes, the marker is AMBER-17.', 'Allow for this session');
    await chat.turn('Second: look for exports, the marker is COBALT-23.', 'Allow once');
    await chat.turn('Third: go over everything once more, the marker is INDIGO-42.', 'Allow once');
    assert.deepEqual(rig.violations, []);
    assert.equal(rig.requests.length, 3 * CALLS_PER_TURN);
    assert.equal(await readFile(join(workbench.workspace ?? '', 'notes', '1.txt'), 'utf8'), 'note 1\n');
    for (let n = 1; n < rig.requests.length; n++) {
      assert.deepEqual(
        prefixBytes(logged(n - 1), logged(n)),
        { isPrefix: true },
        `request ${n} begins request ${n + 1}`,
      );
    }
  });

  it('reads from the provider’s cache what it sent before', () => {
    const { usage, promptTokens } = logged();
    assert.ok(usage && usage.cacheRead > 0.8 * (promptTokens ?? 0), JSON.stringify({ usage, promptTokens }));
  });

  it('is compacted from the palette; history.md holds the user’s words', async () => {
    rig.script(reply(say('Summary: notes were written and exports were looked for.')));
    await workbench.palette('Steiner: Compact Conversation');
    await chat.waitForText(/Compacted: .* tokens/);
    await chat.rest();
    const history = await readFile(join(await sessionFolder(), 'history.md'), 'utf8');
    for (const marker of ['AMBER-17', 'COBALT-23']) assert.match(history, new RegExp(marker));
    assert.deepEqual(rig.violations, []);
  });

  it('goes on after the compaction, with the summary in the prompt', async () => {
    rig.script(reply(say('Going on.')));
    await chat.turn('Fourth: go on.');
    assert.match(JSON.stringify(logged().body), /notes were written and exports were looked for/);
    assert.match(JSON.stringify(logged().body), /AMBER-17/);
    assert.deepEqual(rig.violations, []);
  });

  it('opens history.md from the palette', async () => {
    await workbench.palette('Steiner: Open history.md');
    await workbench.page.locator('.tab').filter({ hasText: 'history.md' }).waitFor();
  });

  it('shows the context report, whose rows add up', async () => {
    await workbench.palette('Steiner: Show Context Report');
    await workbench.page.locator('.tab').filter({ hasText: 'Context report' }).waitFor();
    await workbench.page.getByText('next request').first().waitFor();
  });

  it('is the same conversation after Reload Window, and the next request begins with the same bytes', async () => {
    const itemsBefore = await chat.itemTexts();
    const requestBefore = logged();
    await workbench.reloadWindow();
    chat = await ChatPage.open(workbench);
    await chat.waitForText('Going on.');
    // A fresh view loads the newest page; older items come when it is scrolled to.
    const itemsAfter = await chat.itemTexts();
    assert.ok(itemsAfter.length >= 60 || itemsAfter.length === itemsBefore.length);
    assert.deepEqual(itemsAfter, itemsBefore.slice(-itemsAfter.length));
    rig.script(reply(say('Still here.')));
    await chat.turn('Fifth: are you there?');
    await chat.waitForText('Still here.');
    assert.deepEqual(prefixBytes(requestBefore, logged()), { isPrefix: true });
    assert.deepEqual(rig.violations, []);
  });
});
