// Builds and runs the plain-Node suites: `node scripts/unit.mjs [file or folder ...]`, default test/unit and test/rig.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeTestBundle, testFiles } from './lib/bundles.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const mochaFlags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const roots = paths.length > 0 ? paths : ['test/unit', 'test/rig'];
// One folder per selection, so that two selections can run side by side.
const outdir = `out/unit-${createHash('sha256').update(roots.join('\0')).digest('hex').slice(0, 8)}`;

const entryPoints = await testFiles(...roots);
if (entryPoints.length === 0) throw new Error(`No *.test.ts file below ${roots.join(', ')}`);
await rm(outdir, { recursive: true, force: true });
await build(nodeTestBundle(entryPoints, outdir));

const mocha = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    'node_modules/mocha/bin/mocha.js',
    '--ui',
    'bdd',
    '--timeout',
    '20000',
    ...mochaFlags,
    `${outdir}/**/*.test.mjs`,
  ],
  { stdio: 'inherit' },
);
mocha.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
