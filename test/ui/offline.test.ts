import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatPage } from './chatPage.ts';
import { openWorkbench } from './harness.ts';
import type { Workbench } from './workbench.ts';

describe('with no key and no network', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench();
    chat = await ChatPage.open(workbench);
  });
  after(() => workbench.close());

  it('the offline model answers a question about the workspace with real tool calls', async () => {
    await chat.turn('Where does the trail planner compute the length of a trail?');
    const tools = await chat.frame.getByRole('article', { name: /^Tool (list|glob|grep|read)/ }).count();
    assert.ok(tools >= 2, `${tools} tool cards`);
    assert.match((await chat.itemTexts()).join('\n'), /src\/\w+\.ts:\d+/);
  });

  it('says plainly what it is', async () => {
    assert.match((await chat.itemTexts()).join('\n'), /offline/i);
  });

  it('the meter shows tokens of the window', async () => {
    const meter = chat.frame.getByRole('meter', { name: 'Context use' });
    assert.ok(Number(await meter.getAttribute('aria-valuenow')) > 0);
  });

  it('a command is asked for; Deny keeps it from running', async () => {
    await chat.turn('run `echo no > denied.txt`', 'Deny');
    await assert.rejects(readFile(join(workbench.workspace ?? '', 'denied.txt')));
    assert.match((await chat.itemTexts()).join('\n'), /Denied/);
  });

  it('Allow once runs it', async () => {
    await chat.turn('run `echo yes > allowed.txt`', 'Allow once');
    assert.equal(await readFile(join(workbench.workspace ?? '', 'allowed.txt'), 'utf8'), 'yes\n');
  });

  it('a skill toggled in the quick pick reaches the next message', async () => {
    await workbench.palette('Steiner: Toggle Skills');
    await workbench.pickMany(['review']);
    await chat.turn('list files');
    await chat.frame.locator('.item.user .chip').filter({ hasText: 'review on' }).first().waitFor();
  });

  it('a new session starts empty and the old one can be resumed from the list', async () => {
    await workbench.palette('Steiner: New Session');
    await chat.frame.locator('.item').first().waitFor({ state: 'detached' });
    await workbench.palette('Steiner: Resume Session');
    await workbench.pick('Where does the trail planner');
    await chat.waitForText(/review on/);
  });
});
