// Runs test/ui: mocha in plain Node drives a real VS Code window with the packed extension.
// `node scripts/test-ui.mjs [file or folder ...] [mocha flags]`

import { runMocha } from './lib/mocha.mjs';
import { packVsix } from './lib/vsix.mjs';

process.env.STEINER_VSIX ??= await packVsix();
process.exitCode = await runMocha(process.argv.slice(2), { roots: ['test/ui'], timeoutMs: 120_000 });
