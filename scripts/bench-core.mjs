// Time and memory of the agent's own work per model call: `npm run bench:core -- [--sizes 1000,10000] [--calls N] [--json]`.
import { spawn } from 'node:child_process';
import { build } from 'esbuild';
import { nodeTestBundle } from './lib/bundles.mjs';
import { root } from './lib/root.mjs';

process.chdir(root);
await build(nodeTestBundle(['test/bench/core/main.ts'], 'out/bench-core'));
const args = [
  '--enable-source-maps',
  '--expose-gc',
  'out/bench-core/test/bench/core/main.mjs',
  ...process.argv.slice(2),
];
spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
