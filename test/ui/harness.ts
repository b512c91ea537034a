// Opens a VS Code window for a UI suite: a server of its own with the packed extension, in a browser of its own.
import { copySampleWorkspace } from '../../scripts/lib/sampleWorkspace.mjs';
import { exitOnSignals } from '../../scripts/lib/signals.mjs';
import { openBrowser } from '../../scripts/vscode-host/browser.mjs';
import { startServer } from '../../scripts/vscode-host/server.mjs';
import { Workbench } from './workbench.ts';

const themes = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

export type Theme = keyof typeof themes;

export interface WorkbenchOptions {
  /** User settings. */
  settings?: Record<string, unknown>;
  /** Environment of VS Code and with it of the extension, for example OPENAI_BASE_URL. */
  env?: Record<string, string>;
  /** Folder to open; default a throw-away copy of the sample workspace; null opens a window without a folder. */
  workspace?: string | null;
  /** Default dark. */
  theme?: Theme;
  /** Size of the window in CSS pixels; default 1280 by 800. */
  width?: number;
  height?: number;
  /** False opens the folder in Restricted Mode, as VS Code does for a folder that it has not seen. Default true. */
  trust?: boolean;
}

const open = new Set<Workbench>();

exitOnSignals();

/** @returns a window that is ready for input; close it in an `after` hook */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const vsix = process.env.STEINER_VSIX;
  if (!vsix) throw new Error('STEINER_VSIX does not name the packed extension: run `npm run test:ui`.');
  const sample = options.workspace === undefined ? await copySampleWorkspace() : undefined;
  const workspace = sample?.folder ?? options.workspace ?? undefined;
  const server = await startServer({
    vsix: [vsix],
    trust: options.trust ?? true,
    env: options.env ?? {},
    settings: { 'workbench.colorTheme': themes[options.theme ?? 'dark'], ...options.settings },
  });
  const browser = await openBrowser({ viewport: { width: options.width ?? 1280, height: options.height ?? 800 } });
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  const workbench = new Workbench(page, server, workspace, async () => {
    open.delete(workbench);
    await browser.close();
    await server.stop();
    await sample?.remove();
  });
  open.add(workbench);
  try {
    await page.goto(server.url(workspace));
    await workbench.ready();
    return workbench;
  } catch (error) {
    const file = await workbench.screenshot(`not-opened-${Date.now()}`);
    await workbench.close();
    throw new Error(`The window did not open (${file}).\n${server.output()}`, { cause: error });
  }
}

/** Pictures of every open window after a failed test, and no window left behind by a suite that forgot it. */
afterEach(async function () {
  if (this.currentTest?.state !== 'failed') return;
  const name = this.currentTest.fullTitle().replace(/[^\w]+/g, '-');
  let number = 0;
  for (const workbench of open) {
    number += 1;
    const file = await workbench.screenshot(`failed-${name}-${number}`);
    console.log(`Window at the failure: ${file}`);
  }
});

after(async () => {
  for (const workbench of open) await workbench.close();
});
