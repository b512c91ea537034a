import assert from 'node:assert/strict';
import { accessibilityViolations } from './accessibility.ts';
import { openWorkbench } from './harness.ts';
import type { Workbench } from './workbench.ts';

describe('the chat view in a real window', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench.close());

  it('opens from the activity bar with a message box that takes typed text', async () => {
    const chat = await workbench.openChat();
    const input = chat.getByRole('textbox').first();
    await input.click();
    await workbench.page.keyboard.type('hello');
    assert.equal(await input.inputValue(), 'hello');
    assert.equal(await input.evaluate((element) => element.matches(':focus')), true);
    await input.fill('');
  });

  it('has no accessibility violations', async () => {
    assert.deepEqual(await accessibilityViolations(workbench.chatFrame()), []);
  });

  it('offers its commands in the palette under the category Steiner', async () => {
    const titles = await workbench.paletteTitles('Steiner: ');
    for (const title of ['Open Chat', 'New Session', 'Compact Conversation', 'Toggle Skills', 'Select Model']) {
      assert.ok(titles.includes(`Steiner: ${title}`), `${title} is missing in ${titles.join(', ')}`);
    }
  });

  it('comes back after Reload Window', async () => {
    await workbench.reloadWindow();
    const chat = await workbench.openChat();
    await chat.getByRole('textbox').first().waitFor();
  });

  it('comes back after a crash of the extension host', async () => {
    workbench.killExtensionHost();
    await workbench.page.waitForTimeout(1000);
    await workbench.palette('Steiner: New Session');
    const chat = await workbench.openChat();
    await chat.getByRole('textbox').first().waitFor();
  });

  it('asks nothing of any other host', () => {
    assert.deepEqual(workbench.foreignRequests(), []);
  });
});
