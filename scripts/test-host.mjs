// Runs test/host inside the extension host of a real VS Code: the one that npm installs, with the workbench in Chromium.
import { join } from 'node:path';
import { format } from 'node:util';
import { build } from 'esbuild';
import { hostTestBundle } from './lib/bundles.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { copySampleWorkspace } from './lib/sampleWorkspace.mjs';
import { exitOnSignals } from './lib/signals.mjs';
import { openBrowser } from './vscode-host/browser.mjs';
import { startServer } from './vscode-host/server.mjs';

process.chdir(root);
exitOnSignals();
const timeoutMs = Number(process.env.STEINER_HOST_TIMEOUT_MS ?? 240_000);
/** How test/host/index.ts marks the lines of the suites in the workbench's console. */
const suiteMarker = '[suite] ';
/** @type {string[]} */
const workbenchLines = [];

// With STEINER_VSIX the caller has just built dist, while packing.
if (!process.env.STEINER_VSIX) await run(process.execPath, ['esbuild.mjs']);
await build(hostTestBundle());
const sample = await copySampleWorkspace();
/** @type {Record<string, string>} */
const env = {};
for (const name of ['STEINER_TEST_COUNTS', 'STEINER_TEST_VERBOSE']) env[name] = process.env[name] ?? '';
const server = await startServer({ testDriver: true, env });
const browser = await openBrowser();
const page = await browser.context.newPage();
try {
  process.exitCode = await Promise.race([runSuites(), timeout(), crash()]);
} catch (error) {
  await page.screenshot({ path: 'out/test-host.png' }).catch(() => {});
  console.error(`${error}\nThe workbench at that moment: out/test-host.png. Its console and the server's output:`);
  console.error(`${workbenchLines.join('\n')}\n${server.output()}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  await sample.remove();
}

/** @returns {Promise<number>} the exit code that VS Code reports */
async function runSuites() {
  /** @type {(code: number) => void} */
  let ended = () => {};
  /** @type {Promise<number>} */
  const result = new Promise((resolve) => {
    ended = resolve;
  });
  await page.exposeFunction('codeAutomationLog', printLog);
  await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => ended(code));
  await page.goto(
    server.url(sample.folder, [
      ['extensionDevelopmentPath', server.remoteUri(root)],
      ['extensionTestsPath', server.remoteUri(join(root, 'out', 'test', 'host', 'index.js'))],
    ]),
  );
  return result;
}

/** Where VS Code does not accept the two paths of the URL, it never runs the suites and never says so. */
function timeout() {
  return new Promise((_, reject) => {
    const late = () => reject(new Error(`The in-host suites did not end within ${timeoutMs / 1000} s.`));
    setTimeout(late, timeoutMs).unref();
  });
}

function crash() {
  return new Promise((_, reject) => {
    page.on('crash', () => reject(new Error('The page of the workbench crashed.')));
  });
}

/** The suites' own lines are the output; the workbench's are kept for the case that the suites never end. */
function printLog(/** @type {string} */ _type, /** @type {unknown[]} */ args) {
  const line = format(...args);
  if (line.startsWith(suiteMarker)) console.log(line.slice(suiteMarker.length));
  else workbenchLines.push(line);
}
