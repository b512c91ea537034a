// Runs the plain-Node suites: `node scripts/unit.mjs [file or folder ...] [mocha flags]`, default test/unit and test/rig.
import { runMocha } from './lib/mocha.mjs';

process.exitCode = await runMocha(process.argv.slice(2), { roots: ['test/unit', 'test/rig'], timeoutMs: 20_000 });
