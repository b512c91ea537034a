import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, pause, reply, say, status } from '../rig/script.ts';
import { type Rig, startRig } from '../rig/server.ts';
import { rigKey } from '../rig/settings.ts';
import { until } from '../rig/until.ts';
import { sentResults } from './anthropicBody.ts';
import { ChatPage } from './chatPage.ts';
import { openWorkbench } from './harness.ts';
import { processesRunning } from './processes.ts';
import type { Workbench } from './workbench.ts';

/** Case A1: after Stop the input is free and the command gone within this time. */
const STOP_LIMIT_MS = 2_000;

describe('stopping, waiting and going on in a real window', () => {
  let rig: Rig;
  let workbench: Workbench;
  let chat: ChatPage;

  before(async function () {
    // The tests look for their commands in /proc.
    if (process.platform !== 'linux') this.skip();
    rig = await startRig({ now: () => Date.now() });
    workbench = await openWorkbench({ env: { ANTHROPIC_API_KEY: rigKey, ANTHROPIC_BASE_URL: rig.baseUrlAnthropic } });
    chat = await ChatPage.open(workbench);
    await chat.selectModel('claude-sonnet-5-5');
  });
  after(async () => {
    await workbench?.close();
    await rig?.close();
  });

  const inWorkspace = (name: string) => join(workbench.workspace ?? '', name);
  const lastRequest = () => {
    const request = rig.requests.at(-1);
    assert.ok(request);
    return request;
  };

  async function newSession(): Promise<void> {
    await workbench.palette('Steiner: New Session');
    await chat.frame.locator('.empty-state').waitFor();
  }

  async function allowOnce(): Promise<void> {
    const button = chat.frame.getByRole('button', { name: 'Allow once' });
    await button.click();
    await button.waitFor({ state: 'detached' });
  }

  /** A command that runs until the test makes the file. */
  const waitsFor = (file: string) => ({ command: `while [ ! -f ${file} ]; do sleep 0.05; done; echo done waiting` });

  async function isIdle(limitMs = 60_000): Promise<void> {
    await chat.stopButton.waitFor({ state: 'detached', timeout: limitMs });
    await chat.frame.locator('.status-line').waitFor({ state: 'detached', timeout: limitMs });
    assert.equal(await chat.input.isEnabled(), true);
  }

  it('a message typed while the agent works is shown as queued and joins the next call', async () => {
    rig.script(reply(call('bash', waitsFor('go-1'))), reply(say('Both done.')));
    await chat.send('Wait for it.');
    await allowOnce();
    await chat.send('And look at the climbs, please.');
    await chat.frame.getByRole('list', { name: 'Queued messages' }).getByText('And look at the climbs').waitFor();
    await writeFile(inWorkspace('go-1'), '');
    await chat.waitForText('Both done.');
    await isIdle();
    assert.equal(rig.requests.length, 2);
    assert.equal(JSON.stringify(lastRequest().body).split('And look at the climbs').length, 2);
    assert.equal(await chat.frame.getByRole('list', { name: 'Queued messages' }).count(), 0);
    assert.equal(await chat.frame.getByRole('article', { name: 'You' }).count(), 2);
  });

  it('Escape stops an answer; what had arrived is kept and said to be cut off', async () => {
    rig.script(reply(say('The first half.'), pause(600_000), say(' Never.')));
    await chat.send('Tell me more.');
    await chat.waitForText('The first half.');
    await chat.input.press('Escape');
    await isIdle(STOP_LIMIT_MS);
    await chat.waitForText('This answer was cut off.');
    assert.equal(lastRequest().end, 'left');
  });

  it('a question is answered with the keyboard alone: Deny by Tab, Tab, Enter', async () => {
    // Right after a keystroke the focus stays where the user types; a real model takes its time anyway.
    rig.script(reply(pause(2_000), call('bash', { command: 'touch never' })), reply(say('Then not.')));
    await chat.send('Do it.');
    const allow = chat.frame.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await until(
      () => allow.evaluate((button) => button.matches(':focus-within, :focus')),
      'the question has the focus',
    );
    for (const key of ['Tab', 'Tab', 'Enter']) await workbench.page.keyboard.press(key);
    await chat.waitForText('Then not.');
    await isIdle();
    assert.match(sentResults(lastRequest()).at(-1)?.text ?? '', /denied/i);
    await assert.rejects(readFile(inWorkspace('never')));
  });

  it('A6: a 429 shows how long the server wants us to wait; Stop ends the wait', async () => {
    const before = rig.requests.length;
    rig.script(status(429, { retryAfter: 300 }));
    await chat.send('Once more.');
    const line = chat.frame.locator('.status-line');
    await line.getByText(/Trying again in \d+ min/).waitFor();
    const shown = await line.textContent();
    await until(async () => (await line.textContent()) !== shown, 'it counts down');
    await line.getByRole('button', { name: 'Stop' }).click();
    await isIdle(STOP_LIMIT_MS);
    assert.equal(rig.requests.length, before + 1);
  });

  it('A10: Compact pressed twice while a tool runs compacts once, before the next call', async () => {
    const filler = 'The path follows the ridge and comes down to the hut. '.repeat(600);
    await newSession();
    rig.script(reply(say(filler)), reply(say(filler)), reply(say(filler)));
    for (const n of [1, 2, 3]) await chat.turn(`Describe leg ${n}.`);
    rig.script(reply(call('bash', waitsFor('go-2'))), reply(say('Summary: a ridge.')), reply(say('After compaction.')));
    await chat.send('Wait for the second one.');
    await allowOnce();
    const compact = chat.frame.getByRole('button', { name: 'Compact conversation' });
    await compact.click();
    await compact.click();
    await chat.waitForText(/compacted before the next model call/);
    await writeFile(inWorkspace('go-2'), '');
    await chat.waitForText('After compaction.');
    await isIdle();
    assert.equal(await chat.frame.locator('.item.compaction').count(), 1);
    assert.equal(rig.remaining, 0);
    assert.match(sentResults(lastRequest()).at(-1)?.text ?? '', /done waiting/);
    assert.deepEqual(rig.violations, []);
  });

  describe('A1: a call left open', () => {
    /** Each way to end the run gets a sleep of its own, so that no other process is taken for it. */
    async function startCalls(seconds: string): Promise<void> {
      await newSession();
      const read = call('read', { path: 'README.md' });
      rig.script(
        reply(say('On it.'), read, call('bash', { command: `echo run >> runs-${seconds}; sleep ${seconds}` })),
      );
      await chat.send(`Read the notes, then sleep ${seconds}.`);
      await allowOnce();
      await until(async () => (await processesRunning('sleep', seconds)).length === 1, 'the command runs', 10_000);
    }

    async function goOn(seconds: string): Promise<void> {
      rig.script(reply(say(`Going on after ${seconds}.`)));
      await chat.turn('continue');
      await chat.waitForText(`Going on after ${seconds}.`);
      const results = sentResults(lastRequest());
      assert.equal(results.length, 2);
      assert.match(results[0]?.text ?? '', /A small library that plans hiking days/);
      assert.equal(results[0]?.isError, false);
      assert.match(results[1]?.text ?? '', /interrupted/);
      assert.equal(results[1]?.isError, true);
      assert.deepEqual(rig.violations, []);
      assert.equal(await readFile(inWorkspace(`runs-${seconds}`), 'utf8'), 'run\n', 'it ran once');
    }

    async function log(seconds: string): Promise<string> {
      const sessions = join(workbench.globalStorageDir(), 'sessions');
      for (const id of await readdir(sessions)) {
        const text = await readFile(join(sessions, id, 'log.jsonl'), 'utf8');
        if (text.includes(`then sleep ${seconds}`)) return text;
      }
      throw new Error('No session holds the message.');
    }

    async function reload(): Promise<void> {
      await workbench.reloadWindow();
      chat = await ChatPage.open(workbench);
    }

    async function reloadChangesNothing(seconds: string): Promise<void> {
      const before = await log(seconds);
      const items = await chat.itemTexts();
      await reload();
      await chat.waitForText(`Going on after ${seconds}.`);
      assert.deepEqual(await chat.itemTexts(), items);
      assert.equal(await log(seconds), before);
    }

    it('by Stop: the input is free and the process tree gone within 2 s', async () => {
      await startCalls('600.1');
      const pressed = performance.now();
      await chat.stopButton.click();
      await isIdle(STOP_LIMIT_MS);
      await until(async () => (await processesRunning('sleep', '600.1')).length === 0, 'the command is gone');
      assert.ok(performance.now() - pressed < STOP_LIMIT_MS, `${performance.now() - pressed} ms`);
      await goOn('600.1');
      await reloadChangesNothing('600.1');
    });

    it('by Reload Window: the command is ended, the call answered once', async () => {
      await startCalls('600.2');
      await reload();
      await until(async () => (await processesRunning('sleep', '600.2')).length === 0, 'the command is gone', 10_000);
      await isIdle();
      await goOn('600.2');
      await reloadChangesNothing('600.2');
    });

    it('by a crash of the extension host', async () => {
      await startCalls('600.3');
      workbench.killExtensionHost();
      await reload();
      await isIdle();
      // Nobody was left to end it.
      for (const id of await processesRunning('sleep', '600.3')) process.kill(id);
      await goOn('600.3');
      await reloadChangesNothing('600.3');
    });
  });
});
