// One VS Code window as a person uses it: by keyboard, mouse and what can be seen.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Server } from '../../scripts/vscode-host/server.mjs';

const loadTimeoutMs = 60_000;
const extensionId = 'steiner.steiner';

export class Workbench {
  readonly page: Page;
  readonly server: Server;
  /** The open folder on disk; undefined: none. */
  readonly workspace: string | undefined;
  readonly close: () => Promise<void>;
  private readonly requests: string[] = [];

  constructor(page: Page, server: Server, workspace: string | undefined, close: () => Promise<void>) {
    this.page = page;
    this.server = server;
    this.workspace = workspace;
    this.close = close;
    page.on('request', (request) => this.requests.push(request.url()));
  }

  /** Waits until the window takes input and its extension host runs. */
  async ready(): Promise<void> {
    // Before this mark the window still restores its views: what is clicked then may be undone.
    const restored = () => performance.getEntriesByName('code/LifecyclePhase/Restored').length > 0;
    await this.page.waitForFunction(restored, undefined, { timeout: loadTimeoutMs });
    await this.activityTab('Steiner').waitFor({ timeout: loadTimeoutMs });
    await this.page.locator('.statusbar-item').first().waitFor({ timeout: loadTimeoutMs });
  }

  activityTab(name: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name });
  }

  /** Opens the view by its icon in the activity bar and waits for its document. */
  async openChat(): Promise<FrameLocator> {
    // A click on the icon of a view that is open already would close it.
    const tab = this.activityTab('Steiner');
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    const frame = this.chatFrame();
    await frame.locator('body').waitFor({ timeout: loadTimeoutMs });
    return frame;
  }

  /** The document inside the chat view: VS Code nests a webview's content two frames deep. */
  chatFrame(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Runs a command as a person does. `title` with its category, such as `Steiner: New Session`. */
  async palette(title: string): Promise<void> {
    const input = await this.openPalette();
    await input.fill(`>${title}`);
    const row = this.pickRows().filter({ hasText: title }).first();
    await row.waitFor();
    await row.click();
  }

  /** Titles that the palette offers for `text`, best match first. */
  async paletteTitles(text: string): Promise<string[]> {
    const input = await this.openPalette();
    await input.fill(`>${text}`);
    await this.pickRows().first().waitFor();
    const titles = await this.pickRows().locator('.label-name').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** The text field of the open quick pick or input box. */
  pickInput(): Locator {
    return this.page
      .locator('.quick-input-widget:visible input[type="text"], .quick-input-widget:visible input[type="password"]')
      .first();
  }

  pickRows(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  /** Chooses one row of the open quick pick by a part of its text. */
  async pick(text: string): Promise<void> {
    await this.pickRows().filter({ hasText: text }).first().click();
    await this.pickRows().first().waitFor({ state: 'detached' });
  }

  /** Ticks exactly the named rows of the open multi-select quick pick and accepts. */
  async pickMany(texts: readonly string[]): Promise<void> {
    // The palette's own rows may still be there; only those of a multi-select pick have boxes.
    await this.pickRows().getByRole('checkbox').first().waitFor();
    for (const row of await this.pickRows().all()) {
      const label = (await row.textContent()) ?? '';
      const box = row.getByRole('checkbox').first();
      await box.setChecked(texts.some((text) => label.includes(text)));
    }
    await this.pickInput().press('Enter');
    await this.pickInput().waitFor({ state: 'hidden' });
  }

  /** Types into the open input box and accepts. */
  async enterText(text: string): Promise<void> {
    await this.pickInput().fill(text);
    await this.pickInput().press('Enter');
    await this.pickInput().waitFor({ state: 'hidden' });
  }

  /** The toast whose text contains `text`; wait for it or click its buttons. */
  notification(text: string): Locator {
    return this.page.locator('.notifications-toasts .notification-toast').filter({ hasText: text }).first();
  }

  /** Texts of the toasts that can be seen now. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-toast:visible').allInnerTexts();
  }

  statusBar(text: string): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text }).first();
  }

  /** @returns the path of the picture, out/ui/<name>.png */
  async screenshot(name: string): Promise<string> {
    await mkdir('out/ui', { recursive: true });
    const path = `out/ui/${name}.png`;
    await this.page.screenshot({ path, animations: 'disabled' });
    return path;
  }

  /** Drags the edge of the side bar until it is `width` CSS pixels wide. */
  async setSidebarWidth(width: number): Promise<void> {
    const sidebar = this.page.locator('.part.sidebar');
    const box = await sidebar.boundingBox();
    if (!box) throw new Error('The side bar is hidden.');
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, y, { steps: 5 });
    await this.page.mouse.up();
    // Off the edge, or its highlight is in the next picture.
    await this.page.mouse.move(box.x + 20, box.y + 10);
    const now = await sidebar.boundingBox();
    if (!now || Math.abs(now.width - width) > 5) {
      throw new Error(`The side bar is ${now?.width} px wide instead of ${width}; the window may be too narrow.`);
    }
  }

  /** "Developer: Reload Window": a new extension host in the same window state. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: loadTimeoutMs });
    await this.palette('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /** URLs that the window and its webviews have asked for and that lead away from this machine. */
  foreignRequests(): string[] {
    const own = (url: URL) =>
      url.hostname === '127.0.0.1' ||
      // A webview's name for files of its extension: VS Code's service worker answers it inside the browser.
      url.hostname.endsWith('.vscode-resource.vscode-cdn.net');
    return this.requests.filter((text) => {
      const url = new URL(text);
      return /^(https?|wss?):$/.test(url.protocol) && !own(url);
    });
  }

  /** SIGKILL to the newest extension host, as when it crashes. */
  killExtensionHost(): void {
    const pids = [...this.server.output().matchAll(/<(\d+)> Launched Extension Host Process/g)];
    const pid = Number(pids.at(-1)?.[1]);
    if (!pid) throw new Error('The server has not reported an extension host.');
    process.kill(pid, 'SIGKILL');
  }

  /** The extension's `globalStorageUri` on disk; it outlives reloads and crashes, not `close`. */
  globalStorageDir(): string {
    return join(this.server.userData, 'User', 'globalStorage', extensionId);
  }

  private async openPalette(): Promise<Locator> {
    // A webview keeps F1 to itself while it loads; the title bar never holds the focus, so the key reaches VS Code.
    await this.page.locator('.part.editor').click({ position: { x: 5, y: 60 } });
    await this.page.keyboard.press('F1');
    const input = this.pickInput();
    await input.waitFor();
    return input;
  }
}
