// All tests and checks, from a fresh clone on: `npm test`, or a part: `npm test -- --only unit,check`.
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/dependencies.mjs';
import { step } from './lib/progress.mjs';
import { exitOnSignals } from './lib/signals.mjs';
import { runSuite } from './lib/suites.mjs';
import { packVsix } from './lib/vsix.mjs';
import { ensureChromium } from './vscode-host/chromium.mjs';
import { ensureVSCodeHost } from './vscode-host/install.mjs';

const suites = ['check', 'unit', 'host', 'ui'];
const minute = 60_000;

exitOnSignals();
const { values } = parseArgs({ options: { only: { type: 'string', default: suites.join(',') } } });
const only = values.only.split(',');
const unknown = only.filter((name) => !suites.includes(name));
if (unknown.length > 0) throw new Error(`No suite ${unknown.join(', ')}; the suites are ${suites.join(', ')}.`);

await ensureDependencies();
// Two lanes for two cores: the second one waits much, for the browser and for VS Code.
const results = (await Promise.all([withoutVSCode(), withVSCode()])).flat();
report(results);

/** @returns {Promise<import('./lib/suites.mjs').SuiteResult[]>} */
async function withoutVSCode() {
  const results = [];
  if (only.includes('check')) results.push(await runSuite('check', 'scripts/check.mjs', { timeoutMs: 3 * minute }));
  if (only.includes('unit')) results.push(await runSuite('unit', 'scripts/unit.mjs', { timeoutMs: 5 * minute }));
  return results;
}

/** @returns {Promise<import('./lib/suites.mjs').SuiteResult[]>} */
async function withVSCode() {
  const chosen = ['host', 'ui'].filter((name) => only.includes(name));
  if (chosen.length === 0) return [];
  try {
    await ensureVSCodeHost();
    await ensureChromium();
    // The in-host suite loads the dist folder that this leaves behind, the UI suites install the package.
    const STEINER_VSIX = await step('Packing the extension', packVsix);
    const results = [];
    for (const name of chosen) {
      results.push(await runSuite(name, `scripts/test-${name}.mjs`, { timeoutMs: 8 * minute, env: { STEINER_VSIX } }));
    }
    return results;
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    const problem = 'its set-up failed';
    return [{ name: chosen.join(' and '), passed: 0, failed: 1, skipped: 0, ms: 0, problem, output }];
  }
}

/** @param {import('./lib/suites.mjs').SuiteResult[]} results */
function report(results) {
  for (const { name, failed, problem, output } of results) {
    if (failed > 0) console.log(`\n=== ${name}${problem ? `: ${problem}` : ''} ===\n${output.trim()}\n`);
  }
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    console.log(`${result.name.padEnd(6)} ${counts(result)} in ${(result.ms / 1000).toFixed(1)} s`);
    for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += result[key];
  }
  console.log(counts(total));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/** @param {{passed: number, failed: number, skipped: number}} result */
function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
