// Runs one suite as a process of its own and reads its counts.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { root } from './root.mjs';

/** How long a suite that was told to end may take before it is killed. */
const graceMs = 5_000;

/**
 * @typedef {object} SuiteResult
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} ms
 * @property {string} [problem] why the suite counts as failed beyond its tests
 * @property {string} output
 */

/** @param {string} file @returns {{passed: number, failed: number, skipped: number} | undefined} */
function countsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {{passed: number, failed: number} | undefined} counts
 * @param {number | null} code
 * @param {string | undefined} late
 */
function problemOf(counts, code, late) {
  if (late) return late;
  if (!counts) return `it ended with ${code} and without counts`;
  if (counts.passed + counts.failed === 0) return 'it ran no test';
  if (code !== 0 && counts.failed === 0) return `it ended with ${code} although no test failed`;
  return undefined;
}

/**
 * Never rejects: whatever goes wrong is a failure of the suite, also a run without any test.
 * @param {string} name
 * @param {string} script path of a script that writes its counts to the file of STEINER_TEST_COUNTS
 * @param {{timeoutMs: number, env?: Record<string, string>}} options timeoutMs: for the whole suite
 * @returns {Promise<SuiteResult>}
 */
export function runSuite(name, script, { timeoutMs, env = {} }) {
  const folder = join(root, 'out', 'counts');
  const file = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  const start = Date.now();
  return new Promise((resolve) => {
    // A process group, so that a late suite goes down with everything it started.
    const child = spawn(process.execPath, [resolvePath(root, script)], {
      cwd: root,
      detached: true,
      env: { ...process.env, ...env, STEINER_TEST_COUNTS: file },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    /** @type {string | undefined} */
    let late;
    /** @param {NodeJS.Signals} signal */
    const signalGroup = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // It has ended.
      }
    };
    const onExit = () => signalGroup('SIGTERM');
    process.on('exit', onExit);
    const timer = setTimeout(() => {
      late = `it did not end within ${timeoutMs / 1000} s`;
      signalGroup('SIGTERM');
      setTimeout(() => signalGroup('SIGKILL'), graceMs).unref();
    }, timeoutMs);
    child.on('error', (error) => {
      output += String(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', onExit);
      const counts = countsIn(file);
      const problem = problemOf(counts, code, late);
      const { passed = 0, failed = 0, skipped = 0 } = counts ?? {};
      resolve({ name, passed, failed: failed + (problem ? 1 : 0), skipped, ms: Date.now() - start, problem, output });
    });
  });
}
