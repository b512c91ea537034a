// Finds a Chromium-like browser, or installs Debian's where we may.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from '../lib/progress.mjs';
import { run } from '../lib/run.mjs';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
];

function usualPlaces() {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((variable) => {
      const folder = process.env[variable];
      if (!folder) return [];
      return [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ];
    });
  }
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/snap/bin');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** @returns {string | undefined} */
function findChromium() {
  return usualPlaces().find((path) => existsSync(path));
}

/**
 * The path of a browser that playwright-core can drive: STEINER_CHROMIUM, else the usual places, else, as root on
 * Debian, freshly installed.
 * @throws {Error} that says what to install
 */
export async function ensureChromium() {
  const chosen = process.env.STEINER_CHROMIUM;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`STEINER_CHROMIUM names ${chosen}, which does not exist.`);
    return chosen;
  }
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await step('Installing the Debian packages chromium and fonts-dejavu-core', async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      // Debian lets one installation run at a time.
      const quietly = ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=300'];
      await run('apt-get', ['update', ...quietly], { env });
      await run('apt-get', ['install', ...quietly, '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], {
        env,
      });
    });
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium, Chrome or Edge was found. Install one (on Debian: apt-get install chromium fonts-dejavu-core) or set STEINER_CHROMIUM to its path.',
  );
}
