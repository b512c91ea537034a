// Starts one VS Code server on 127.0.0.1 with everything of its own: home, settings, extensions, log files.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { tempFolder } from '../lib/tempFolder.mjs';
import { ensureVSCodeHost } from './install.mjs';
import { quietSettings } from './settings.mjs';

const startTimeoutMs = 60_000;
/** A server whose launcher was killed outright ends itself after this long without a browser. */
const idleTimeoutSeconds = 300;

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, string>} [env] added to the server's otherwise clean environment
 * @property {Record<string, unknown>} [settings] user settings beside the quiet ones
 * @property {boolean} [trust] false: folders open in Restricted Mode, as for a person. Default true.
 * @property {boolean} [testDriver] true: the page's URL may name an extension under development and its tests;
 *   dialogs then confirm themselves and toasts never show. Default false.
 * @property {string[]} [vsix] packed extensions to install first
 * @property {number} [idleSeconds] seconds without a browser after which the server ends
 *
 * @typedef {object} Server
 * @property {string} origin such as http://127.0.0.1:1234
 * @property {string} home the private HOME of the server and its terminals
 * @property {string} userData
 * @property {number} pid
 * @property {Promise<void>} exited
 * @property {() => string} output what the server has printed
 * @property {(folder: string | undefined, payload?: [string, string][]) => string} url the workbench on a folder
 * @property {(path: string) => string} remoteUri a path on this machine as the workbench names it
 * @property {() => Promise<void>} stop ends the server and removes its folders
 */

/** @param {import('node:child_process').ChildProcess} child */
function killGroup(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended between the question and the signal.
  }
}

/** @param {string} folder @param {Record<string, string>} extra */
function cleanEnvironment(folder, extra) {
  const kept = Object.fromEntries(
    ['PATH', 'LANG', 'SHELL', 'TMPDIR', 'USER'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // Without a gallery the server has nothing to ask on the network.
  const noGallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' });
  return { LANG: 'C.UTF-8', ...kept, HOME: join(folder, 'home'), EXTENSIONS_GALLERY: noGallery, ...extra };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => string} output
 * @returns {Promise<string>} the address it chose
 */
async function address(child, output) {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const origin = /server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1];
    if (origin && (await healthy(origin))) return origin;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  killGroup(child);
  throw new Error(`The VS Code server did not start.\n${output()}`);
}

/** @param {string} origin */
async function healthy(origin) {
  try {
    return (await fetch(`${origin}/healthz`)).ok;
  } catch {
    return false;
  }
}

/**
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  const host = await ensureVSCodeHost();
  const temporary = await tempFolder('steiner-vscode');
  const folder = temporary.path;
  const userData = join(folder, 'user-data');
  const config = join(folder, 'config.yaml');
  const env = cleanEnvironment(folder, options.env ?? {});
  await mkdir(join(userData, 'User'), { recursive: true });
  await mkdir(env.HOME, { recursive: true });
  await writeFile(config, 'auth: none\n');
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify({ ...quietSettings, ...options.settings }));
  const folders = ['--config', config, '--user-data-dir', userData, '--extensions-dir', join(folder, 'extensions')];
  for (const vsix of options.vsix ?? []) {
    await run(host.node, [host.entry, ...folders, '--install-extension', vsix], { env });
  }

  const args = [host.entry, ...folders, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry'];
  args.push('--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened');
  args.push('--idle-timeout-seconds', String(options.idleSeconds ?? idleTimeoutSeconds));
  if (options.trust !== false) args.push('--disable-workspace-trust');
  if (options.testDriver) args.push('--vscode-option', 'enable-smoke-test-driver');
  // A process group of its own, so that ending it takes the extension host and the terminals along.
  const child = spawn(host.node, args, { env, cwd: env.HOME, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const onExit = () => killGroup(child);
  // Before the removal of its folder, which is an exit hook too.
  process.prependListener('exit', onExit);
  /** @type {Promise<void>} */
  const exited = new Promise((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve();
    });
    child.on('exit', () => resolve());
  });

  const origin = await address(child, () => output);
  const remoteUri = (/** @type {string} */ path) => `vscode-remote://${new URL(origin).host}${path}`;
  return {
    origin,
    home: env.HOME,
    userData,
    pid: child.pid ?? 0,
    exited,
    output: () => output,
    remoteUri,
    url: (workspace, payload = []) => {
      const query = new URLSearchParams({ payload: JSON.stringify([['skipWelcome', 'true'], ...payload]) });
      if (workspace) query.set('folder', workspace);
      else query.set('ew', 'true');
      return `${origin}/?${query}`;
    },
    stop: async () => {
      killGroup(child);
      await exited;
      process.off('exit', onExit);
      await temporary.remove();
    },
  };
}
