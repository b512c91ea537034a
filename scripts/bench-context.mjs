// The context benchmark: `npm run bench:context -- --traces DIR --window N --policy P --gaps recorded|warm|coldheavy --json`.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { nodeTestBundle } from './lib/bundles.mjs';
import { root } from './lib/root.mjs';

// Paths on the command line are the caller's, not the project's.
const { INIT_CWD = process.cwd() } = process.env;
process.chdir(root);
const outdir = `out/bench-context-${process.pid}`;
try {
  await build(nodeTestBundle(['test/bench/context/main.ts'], outdir));
  const bundle = resolve(outdir, 'test/bench/context/main.mjs');
  const bench = spawn(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], {
    cwd: INIT_CWD,
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((done, fail) => {
    bench.on('error', fail);
    bench.on('exit', (code) => done(code ?? 1));
  });
} finally {
  await rm(outdir, { recursive: true, force: true });
}
