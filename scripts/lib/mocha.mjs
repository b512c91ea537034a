// Bundles *.test.ts files for plain Node and runs mocha on them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { nodeTestBundle, testFiles } from './bundles.mjs';
import { root } from './root.mjs';

/**
 * @param {string[]} argv files and folders to run instead of `roots`, and flags for mocha (`--name=value`)
 * @param {{roots: string[], timeoutMs: number}} options timeoutMs: for one test
 * @returns {Promise<number>} mocha's exit code
 * @throws {Error} where there is no test file
 */
export async function runMocha(argv, { roots, timeoutMs }) {
  process.chdir(root);
  const flags = argv.filter((argument) => argument.startsWith('--'));
  const paths = argv.filter((argument) => !argument.startsWith('--'));
  const selected = paths.length > 0 ? paths : roots;
  const files = await testFiles(...selected);
  if (files.length === 0) throw new Error(`No *.test.ts file below ${selected.join(', ')}`);
  // One folder per selection, so that two selections can run side by side.
  const outdir = `out/mocha-${createHash('sha256').update(selected.join('\0')).digest('hex').slice(0, 8)}`;
  await rm(outdir, { recursive: true, force: true });
  await build(nodeTestBundle(files, outdir));

  const counted = process.env.STEINER_TEST_COUNTS ? ['--reporter', 'scripts/lib/countingReporter.cjs'] : [];
  const args = ['node_modules/mocha/bin/mocha.js', '--ui', 'bdd', '--timeout', String(timeoutMs), '--fail-zero'];
  const mocha = spawn(
    process.execPath,
    ['--enable-source-maps', ...args, ...counted, ...flags, `${outdir}/**/*.test.mjs`],
    { stdio: 'inherit' },
  );
  return new Promise((resolve, reject) => {
    mocha.on('error', reject);
    mocha.on('exit', (code) => resolve(code ?? 1));
  });
}
