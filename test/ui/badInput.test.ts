import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reply, say } from '../rig/script.ts';
import { type Rig, startRig } from '../rig/server.ts';
import { rigKey } from '../rig/settings.ts';
import { ChatPage } from './chatPage.ts';
import { openWorkbench } from './harness.ts';
import type { Workbench } from './workbench.ts';

/** The notice in the chat: what happened and the way out. */
async function notice(chat: ChatPage, message: RegExp): Promise<string> {
  const item = chat.frame.locator('.item.notice').filter({ hasText: message }).last();
  await item.waitFor({ timeout: 60_000 });
  return (await item.textContent()) ?? '';
}

describe('bad input', () => {
  describe('keys, servers, models, instructions', () => {
    let rig: Rig;
    let workbench: Workbench;
    let chat: ChatPage;

    before(async () => {
      rig = await startRig({ now: () => Date.now() });
      workbench = await openWorkbench({
        env: { OPENAI_API_KEY: 'sk-wrong-key-for-this-server', OPENAI_BASE_URL: rig.baseUrlOpenAI },
      });
      chat = await ChatPage.open(workbench);
    });
    after(async () => {
      await workbench.close();
      await rig.close();
    });

    async function typeModel(id: string): Promise<void> {
      await workbench.palette('Steiner: Select Model');
      await workbench.pickInput().fill('Other model');
      await workbench.pickRows().filter({ hasText: 'Other model' }).first().click();
      await workbench.pickInput().fill(id);
      await workbench.pickInput().press('Enter');
      await workbench.statusBar(id.slice(id.indexOf('/') + 1)).waitFor();
    }

    it('no key: the message stays, the notice offers to set one', async () => {
      await typeModel('anthropic/claude-sonnet-5-5');
      await chat.turn('Do not lose these words.');
      const text = await notice(chat, /key/i);
      assert.match(text, /Set API key/i);
      await chat.waitForText('Do not lose these words.');
    });

    it('wrong key: the server’s refusal and the same way out, without the key itself', async () => {
      await typeModel('openai/local-model');
      await chat.turn('Still the same words.');
      const text = await notice(chat, /refused|incorrect|not accept|invalid/i);
      assert.match(text, /Set API key/i);
      assert.doesNotMatch(text, /wrong-key-for-this-server/);
    });

    it('a new key from the palette and Retry: the same message is answered, said once', async () => {
      await workbench.palette('Steiner: Set API Key');
      await workbench.pick('OpenAI or compatible');
      await workbench.enterText(rigKey);
      rig.script(reply(say('Answered at last.')));
      await chat.send('Now it works?');
      await chat.waitForText('Answered at last.');
      const body = JSON.stringify(rig.requests.at(-1)?.body);
      assert.equal(body.match(/Do not lose these words/g)?.length, 1);
      assert.equal(body.match(/Still the same words/g)?.length, 1);
      assert.deepEqual(
        rig.violations.filter(({ rule }) => rule !== 'SCRIPT'),
        [],
      );
    });

    it('unknown model: named, with the picker as the way out', async () => {
      await typeModel('openai/no-such-model');
      await chat.turn('hello');
      const text = await notice(chat, /no-such-model/);
      assert.match(text, /Select model/i);
    });

    it('an AGENTS.md that is a folder: named, and the turn goes on', async () => {
      await mkdir(join(workbench.workspace ?? '', 'sub'), { recursive: true });
      await workbench.palette('Steiner: New Session');
      await typeModel('openai/local-model');
      rig.script(reply(say('Fine without it.')));
      const { rename } = await import('node:fs/promises');
      const agents = join(workbench.workspace ?? '', 'AGENTS.md');
      await rename(agents, `${agents}.old`).catch(() => undefined);
      await mkdir(agents);
      await chat.send('go');
      await chat.waitForText('Fine without it.');
      assert.match(await notice(chat, /AGENTS\.md/), /folder/i);
    });

    it('unreachable server: named with its address, and Retry works once it is back', async () => {
      await rig.close();
      await chat.send('anyone there?');
      const text = await notice(chat, /127\.0\.0\.1|reach/i);
      assert.match(text, /127\.0\.0\.1/);
      await chat.waitForText('anyone there?');
    });
  });

  it('a window without a folder: says so, and answers', async () => {
    const workbench = await openWorkbench({ workspace: null });
    try {
      const chat = await ChatPage.open(workbench);
      await chat.waitForText(/folder/i);
      await chat.turn('hello, what can you do?');
      await chat.frame.getByRole('article', { name: 'Steiner' }).first().waitFor();
    } finally {
      await workbench.close();
    }
  });
});
