// Opens VS Code with the extension on a throw-away copy of the sample workspace: the desktop application where `code`
// is on the PATH, otherwise the same workbench for a browser. Stays until Ctrl+C.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { copySampleWorkspace } from './lib/sampleWorkspace.mjs';

/** What the extension reads from VS Code's environment; the server's is clean but for these. */
const passedOn = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'];
/** A person may leave the browser for the night; Ctrl+C is what ends the server. */
const idleSeconds = 7 * 24 * 3600;
const openChat = { STEINER_OPEN_CHAT: '1' };

const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
});
// A pending promise alone does not keep Node running.
const alive = setInterval(() => {}, 60_000);

await ensureDependencies();
const sample = await copySampleWorkspace();
try {
  const desktop = findDesktop();
  if (desktop) await openDesktop(desktop);
  else await serve();
} finally {
  await sample.remove();
  clearInterval(alive);
}

/** @returns {string | undefined} the path of VS Code's launcher */
function findDesktop() {
  // In a terminal of a remote window `code` opens files in that window and cannot start an extension.
  if (process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** @param {string} code */
async function openDesktop(code) {
  await run(process.execPath, ['esbuild.mjs'], { cwd: root });
  const args = ['--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`, sample.folder];
  const env = { ...process.env, ...openChat };
  const child = spawn(code, args, { env, stdio: 'ignore', shell: process.platform === 'win32' });
  const failed = new Promise((_, reject) => {
    child.on('error', reject);
    child.on('exit', (status) => status && reject(new Error(`${code} ended with ${status}.`)));
  });
  console.log(`Steiner is open in desktop VS Code (${sample.folder}); Ctrl+C removes the sample workspace.`);
  await Promise.race([stopped, failed]);
}

async function serve() {
  // Loaded only now: these need the packages that a fresh clone has not had until here.
  const { packVsix } = await import('./lib/vsix.mjs');
  const { startServer } = await import('./vscode-host/server.mjs');
  const vsix = await packVsix();
  /** @type {Record<string, string>} */
  const env = { ...openChat };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value) env[name] = value;
  }
  const server = await startServer({ vsix: [vsix], env, idleSeconds });
  try {
    console.log(`Steiner is open at ${server.origin}/?folder=${encodeURI(sample.folder)} (Ctrl+C ends it)`);
    const died = server.exited.then(() => Promise.reject(new Error(`VS Code ended by itself.\n${server.output()}`)));
    await Promise.race([stopped, died]);
  } finally {
    await server.stop();
  }
}
