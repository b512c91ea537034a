// Packs the extension as it is published; vsce builds it first (script vscode:prepublish).
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.mjs';
import { run } from './run.mjs';

/** @returns {Promise<string>} the path of the VSIX */
export async function packVsix() {
  const vsix = join(root, 'out', 'steiner.vsix');
  await mkdir(join(root, 'out'), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ];
  await run(process.execPath, [vsce, ...args], { cwd: root });
  return vsix;
}
