// Installs a real VS Code (as packaged in code-server) for tests and for `npm start`, once per user and version.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { step } from '../lib/progress.mjs';
import { root } from '../lib/root.mjs';
import { npm, quietInstall } from '../lib/run.mjs';
import { codeServerVersion, hostFolder, nodePackage, platform } from './versions.mjs';

/** Dependencies of the server that nothing here uses; two of them do not even install without a compiler. */
const unusedDependencies = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'ssh2',
];
const unusedExtensions = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

/**
 * @typedef {object} VSCodeHost
 * @property {string} node path of a Node 24 binary
 * @property {string} entry path of the server's start script
 */

/** @param {string} folder */
function hostIn(folder) {
  const modules = join(folder, 'node_modules');
  const ownNode = nodePackage();
  return {
    node: ownNode ? join(modules, ownNode.name, 'bin', 'node') : process.execPath,
    entry: join(modules, 'code-server', 'out', 'node', 'entry.js'),
    vscode: join(modules, 'code-server', 'lib', 'vscode'),
    // Outside node_modules, so that no npm command can leave a stamp on half an installation.
    stamp: join(folder, 'installed'),
  };
}

/** @param {string} vscode folder of the server's VS Code part */
async function dropUnused(vscode) {
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  for (const name of unusedDependencies) delete manifest.dependencies[name];
  await writeFile(file, JSON.stringify(manifest, undefined, 2));
  for (const name of unusedExtensions) await rm(join(vscode, 'extensions', name), { recursive: true, force: true });
}

/** @param {string} vscode */
async function replaceCompiledModules(vscode) {
  const replacements = { 'native-watchdog': 'nativeWatchdog.cjs', spdlog: 'spdlog.cjs' };
  for (const [name, file] of Object.entries(replacements)) {
    const source = join(root, 'scripts', 'vscode-host', 'replacements', file);
    await cp(source, join(vscode, 'node_modules', '@vscode', name, 'index.js'));
  }
}

/** @param {string} vscode */
async function dropOtherPlatforms(vscode) {
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds']) {
    const binaries = join(vscode, 'node_modules', folder);
    if (!existsSync(binaries)) continue;
    for (const name of await readdir(binaries)) {
      if (name !== platform) await rm(join(binaries, name), { recursive: true, force: true });
    }
  }
}

/** @param {string} folder */
async function install(folder) {
  const ownNode = nodePackage();
  if (!ownNode && Number(process.versions.node.split('.')[0]) !== 24) {
    throw new Error(
      `The VS Code server needs Node 24, and there is no npm package of it for ${platform}: run this with Node 24.`,
    );
  }
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  await writeFile(join(making, 'package.json'), JSON.stringify({ name: 'steiner-vscode-host', private: true }));
  const packages = [`code-server@${codeServerVersion}`];
  if (ownNode) packages.push(`${ownNode.name}@${ownNode.version}`);
  await npm(['install', ...packages, '--omit=dev', ...quietInstall], { cwd: making });
  const { vscode } = hostIn(making);
  await dropUnused(vscode);
  await npm(['install', '--omit=dev', ...quietInstall], { cwd: vscode });
  await replaceCompiledModules(vscode);
  await dropOtherPlatforms(vscode);
  await rename(making, folder);
  await writeFile(hostIn(folder).stamp, `${new Date().toISOString()}\n`);
}

/**
 * The VS Code server, installed first where it is not there yet (about 25 s and 300 MB).
 * @returns {Promise<VSCodeHost>}
 * @throws {Error} where npm fails or the machine has no Node 24
 */
export async function ensureVSCodeHost() {
  const folder = hostFolder();
  const { node, entry, stamp } = hostIn(folder);
  if (!existsSync(stamp)) {
    await withLock(`${folder}.lock`, 'Waiting for another run that installs VS Code ...', async () => {
      if (!existsSync(stamp))
        await step(`Installing VS Code (code-server ${codeServerVersion}) to ${folder}`, () => install(folder));
    });
  }
  return { node, entry };
}
