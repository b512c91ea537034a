// The repository's folder, found upwards from the module, so that it also holds inside a bundled suite below out/.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param {string} folder */
function isRoot(folder) {
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'steiner';
}

function findRoot() {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!isRoot(folder)) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The repository root was not found above this script.');
    folder = parent;
  }
  return folder;
}

export const root = findRoot();
