// Runs test/host in desktop VS Code, downloaded by @vscode/test-electron: for machines with internet access.
// STEINER_VSCODE_VERSION chooses the version (default: stable).
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { hostBundle, hostTestBundle, webviewBundle } from './lib/bundles.mjs';
import { root } from './lib/root.mjs';
import { copySampleWorkspace } from './lib/sampleWorkspace.mjs';

process.chdir(root);
await Promise.all([build(hostBundle(false)), build(webviewBundle(false)), build(hostTestBundle())]);
const sample = await copySampleWorkspace();
try {
  process.exitCode = await runTests({
    version: process.env.STEINER_VSCODE_VERSION ?? 'stable',
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, 'out', 'test', 'host', 'index.js'),
    extensionTestsEnv: { STEINER_TEST_VERBOSE: '1' },
    launchArgs: [sample.folder, '--disable-extensions', '--disable-workspace-trust'],
  });
} finally {
  await sample.remove();
}
