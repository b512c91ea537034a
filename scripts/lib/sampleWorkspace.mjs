// A throw-away copy of the sample workspace.
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';

/** @returns {Promise<{folder: string, remove: () => Promise<void>}>} */
export async function copySampleWorkspace() {
  // Links resolved, because VS Code reports real paths.
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'steiner-sample-')));
  const folder = join(parent, 'sample-workspace');
  await cp(join(root, 'test', 'fixtures', 'sample-workspace'), folder, { recursive: true });
  return { folder, remove: () => rm(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}
