// The chat as a person uses it, inside a workbench.
import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../rig/until.ts';
import type { Workbench } from './workbench.ts';

/** Milliseconds; generous, since two suites may share two cores. */
const PATIENCE_MS = 60_000;

export type Answer = 'Allow once' | 'Allow for this session' | 'Deny';

export class ChatPage {
  readonly workbench: Workbench;
  readonly frame: FrameLocator;

  private constructor(workbench: Workbench, frame: FrameLocator) {
    this.workbench = workbench;
    this.frame = frame;
  }

  static async open(workbench: Workbench): Promise<ChatPage> {
    const page = new ChatPage(workbench, await workbench.openChat());
    await page.input.waitFor({ timeout: PATIENCE_MS });
    return page;
  }

  get input(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  get stopButton(): Locator {
    return this.frame.locator('.composer').getByRole('button', { name: 'Stop' });
  }

  /** Types and presses Enter, as a person does. */
  async send(text: string): Promise<void> {
    await this.input.click();
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Sends and waits until the agent rests, answering questions on the way. */
  async turn(text: string, answer: Answer = 'Allow once'): Promise<void> {
    const before = await this.frame.getByRole('article', { name: 'You' }).count();
    await this.send(text);
    await until(
      async () => (await this.frame.getByRole('article', { name: 'You' }).count()) > before,
      'it is said',
      PATIENCE_MS,
    );
    await this.rest(answer);
  }

  /** Waits until nothing runs, answering questions on the way. */
  async rest(answer: Answer = 'Allow once'): Promise<void> {
    const button = this.frame.getByRole('button', { name: answer }).first();
    let quiet = 0;
    await until(
      async () => {
        if (await button.isEnabled({ timeout: 50 }).catch(() => false)) {
          await button.click({ timeout: 2_000 }).catch(() => undefined);
        }
        const running = (await this.frame.locator('.status-line').count()) + (await this.stopButton.count());
        // A single look may fall between two renderings.
        quiet = running === 0 ? quiet + 1 : 0;
        return quiet >= 5;
      },
      'the agent rests',
      PATIENCE_MS,
    );
  }

  /** The text of every stored item that is loaded, in order; notices belong to the window, not to the session. */
  async itemTexts(): Promise<string[]> {
    // innerText is empty for items that are scrolled out of sight.
    const texts = await this.frame.locator('.item:not(.notice)').allTextContents();
    return texts.map((text) => text.replace(/\s+/g, ' ').trim());
  }

  async waitForText(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor({ timeout: PATIENCE_MS });
  }

  async selectModel(name: string): Promise<void> {
    await this.workbench.palette('Steiner: Select Model');
    await this.workbench.pickInput().fill(name);
    await this.workbench.pick(name);
    await this.workbench.statusBar(name).waitFor({ timeout: PATIENCE_MS });
  }
}
