// Drives a found Chromium that can reach nothing but this machine.
import { chromium } from 'playwright-core';
import { tempFolder } from '../lib/tempFolder.mjs';
import { ensureChromium } from './chromium.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * A browser with a fresh profile of its own, removed on close.
 * @param {{viewport?: {width: number, height: number}}} [options]
 * @returns {Promise<{context: import('playwright-core').BrowserContext, close: () => Promise<void>}>}
 */
export async function openBrowser(options = {}) {
  const executablePath = await ensureChromium();
  const profile = await tempFolder('steiner-browser');
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    headless: true,
    args: flags,
    viewport: options.viewport ?? { width: 1280, height: 800 },
  });
  return {
    context,
    close: async () => {
      await context.close();
      await profile.remove();
    },
  };
}
