import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, reply, say } from '../rig/script.ts';
import { type Rig, startRig } from '../rig/server.ts';
import { rigKey } from '../rig/settings.ts';
import { ChatPage } from './chatPage.ts';
import { openWorkbench } from './harness.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import type { Workbench } from './workbench.ts';

/** VS Code opens addresses of this machine without asking, so the link that is clicked leads elsewhere. */
const ELSEWHERE = 'https://elsewhere.invalid/page?from=chat';

/** Everything that could fetch, run or open something; `origin` is the recorder's. */
function hostile(origin: string, place: string): string {
  const url = (name: string) => `${origin}/${place}-${name}`;
  return [
    `![picture](${url('image')}) ![by reference][pic]`,
    `<img src="${url('img')}" onerror="fetch('${url('onerror')}')"><video poster="${url('poster')}"></video>`,
    `<svg onload="fetch('${url('svg')}')"><image href="${url('svg-image')}"/></svg>`,
    `<style>body { background: url(${url('style')}) }</style><link rel="stylesheet" href="${url('link')}">`,
    `<iframe src="${url('iframe')}"></iframe><script>fetch('${url('script')}')</script>`,
    '[run](javascript:alert(1)) [command](command:workbench.action.quit) [code](vscode://file/etc/passwd)',
    '[data](data:text/html,<script>alert(1)</script>) [file](file:///etc/passwd)',
    `[title](${url('title')} "a \\" onmouseover=fetch('${url('mouseover')}') x=\\"")`,
    `a plain [web link](${ELSEWHERE})`,
    '',
    `[pic]: ${url('reference')}`,
  ].join('\n\n');
}

describe('A24: what is rendered fetches nothing and opens nothing', () => {
  let rig: Rig;
  let recorder: Recorder;
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    rig = await startRig({ now: () => Date.now() });
    recorder = await startRecorder();
    workbench = await openWorkbench({ env: { ANTHROPIC_API_KEY: rigKey, ANTHROPIC_BASE_URL: rig.baseUrlAnthropic } });
    await writeFile(join(workbench.workspace ?? '', 'hostile.md'), hostile(recorder.origin, 'tool'));
    chat = await ChatPage.open(workbench);
    await chat.selectModel('claude-sonnet-5-5');
  });
  after(async () => {
    await workbench.close();
    await rig.close();
    await recorder.close();
  });

  async function nothingWasFetched(): Promise<void> {
    // A fetch that was begun shows within this time on loopback.
    await workbench.page.waitForTimeout(500);
    assert.deepEqual(recorder.seen, []);
    assert.deepEqual(workbench.foreignRequests(), []);
    const active = ['img', 'video', 'svg', 'iframe', 'object', 'embed', 'style', 'script', '[href]', '[src]'];
    const found = chat.frame.locator(active.map((each) => `.item ${each}`).join(', '));
    assert.deepEqual(await found.evaluateAll((elements) => elements.map((element) => element.outerHTML)), []);
  }

  it('while it streams in pieces: answer, user text, file name, tool output', async () => {
    const text = hostile(recorder.origin, 'answer');
    const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
    const name = `"><img src=${recorder.origin}/name>.md`;
    rig.script(
      reply(say('Reading.'), call('read', { path: 'hostile.md' }), call('read', { path: name })),
      reply(say(...pieces), { paceMs: 2 }),
    );
    await chat.turn(hostile(recorder.origin, 'user'));
    await chat.waitForText('a plain web link');
    const folded = chat.frame.locator('.tool-toggle[aria-expanded="false"]:enabled');
    while ((await folded.count()) > 0) await folded.first().click();
    await chat.frame.locator('.tool-output').getByText('[by reference]').first().waitFor();
    await nothingWasFetched();
  });

  it('only web and mail links are links at all', async () => {
    const targets = await chat.frame
      .locator('[data-href]')
      .evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.href ?? ''));
    assert.ok(targets.length > 0);
    for (const target of targets)
      assert.ok(
        [recorder.origin, ELSEWHERE].some((each) => target.startsWith(each)),
        target,
      );
  });

  it('a click on the text of a refused link does nothing', async () => {
    const pages = workbench.page.context().pages().length;
    for (const text of ['run', 'command', 'code', 'data', 'file']) {
      const paragraph = chat.frame.locator('.item.assistant p').filter({ hasText: text }).last();
      await paragraph.getByText(text).first().click();
    }
    await workbench.page.waitForTimeout(300);
    assert.deepEqual(await workbench.notifications(), []);
    assert.equal(await workbench.page.locator('.monaco-dialog-box:visible').count(), 0);
    assert.equal(workbench.page.context().pages().length, pages);
    await nothingWasFetched();
  });

  it('a web link shows where it leads and asks before it opens', async () => {
    const link = chat.frame.getByRole('link', { name: 'web link' }).last();
    assert.equal(await link.getAttribute('title'), ELSEWHERE);
    await link.click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(ELSEWHERE).waitFor();
    await workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await nothingWasFetched();
  });

  it('when the chat is restored after a reload', async () => {
    await workbench.reloadWindow();
    chat = await ChatPage.open(workbench);
    await chat.waitForText('a plain web link');
    await nothingWasFetched();
  });
});
