// Types, format, lint, folder rules and dead code: `node scripts/check.mjs [name ...]`. Says nothing of what is fine.
import { writeFileSync } from 'node:fs';
import { pool } from './lib/pool.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';

/** Each name with the package's script and its arguments; run by this Node, without npx and its network. */
const checks = {
  types: ['typescript/bin/tsc', '-p', 'tsconfig.json'],
  'types of the webview': ['typescript/bin/tsc', '-p', 'webview/tsconfig.json'],
  // Format, recommended rules, and which folder may import which (biome.json).
  biome: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--max-diagnostics=50'],
  // What needs types, such as forgotten promises, and import cycles (.oxlintrc.json).
  oxlint: ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  'dead code': ['knip/bin/knip.js', '--no-progress'],
};

const named = process.argv.slice(2);
const chosen = Object.entries(checks).filter(([name]) => named.length === 0 || named.includes(name));
if (chosen.length === 0) throw new Error(`The checks are: ${Object.keys(checks).join(', ')}.`);

const passes = await pool(
  chosen.map(([name, [script, ...args]]) => async () => {
    try {
      await run(process.execPath, [`node_modules/${script}`, ...args], { cwd: root });
      return true;
    } catch (error) {
      console.log(`\n--- ${name} ---\n${error instanceof Error ? error.message : error}`);
      return false;
    }
  }),
  2,
);
const passed = passes.filter(Boolean).length;
const failed = passes.length - passed;
const { STEINER_TEST_COUNTS } = process.env;
if (STEINER_TEST_COUNTS) writeFileSync(STEINER_TEST_COUNTS, JSON.stringify({ passed, failed, skipped: 0 }));
process.exitCode = failed > 0 ? 1 : 0;
