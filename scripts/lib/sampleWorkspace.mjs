// A throw-away copy of the sample workspace.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.mjs';
import { tempFolder } from './tempFolder.mjs';

/** @returns {Promise<{folder: string, remove: () => Promise<void>}>} */
export async function copySampleWorkspace() {
  const parent = await tempFolder('steiner-sample');
  const folder = join(parent.path, 'sample-workspace');
  await cp(join(root, 'test', 'fixtures', 'sample-workspace'), folder, { recursive: true });
  return { folder, remove: parent.remove };
}
