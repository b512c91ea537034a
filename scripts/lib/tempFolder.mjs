// Throw-away folders that do not outlive the process, also when a signal or an error ends it.
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What was just killed may still hold or write files for a moment. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };

/** @type {Set<string>} */
const folders = new Set();

process.on('exit', () => {
  for (const folder of folders) rmSync(folder, removal);
});

/**
 * @param {string} name begins the folder's name
 * @returns {Promise<{path: string, remove: () => Promise<void>}>} path: links resolved, as VS Code reports paths
 */
export async function tempFolder(name) {
  const path = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  folders.add(path);
  return {
    path,
    remove: async () => {
      await rm(path, removal);
      folders.delete(path);
    },
  };
}
