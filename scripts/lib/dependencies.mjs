// Installs the npm packages when those in node_modules are not the ones of package-lock.json. Imports no package itself.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { step } from './progress.mjs';
import { root } from './root.mjs';
import { npm, quietInstall } from './run.mjs';

/** @param {string} file @returns {Promise<Record<string, {version?: string, optional?: boolean, devOptional?: boolean}> | undefined>} */
async function packagesIn(file) {
  try {
    return JSON.parse(await readFile(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function upToDate() {
  // npm's own record of what it has put into node_modules.
  const installed = await packagesIn('node_modules/.package-lock.json');
  const wanted = await packagesIn('package-lock.json');
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(
    // Optional ones are left out on the platforms that they are not for.
    ([path, { version, optional, devOptional }]) =>
      path === '' || optional || devOptional || installed[path]?.version === version,
  );
}

/** @throws {Error} where npm fails */
export async function ensureDependencies() {
  if (await upToDate()) return;
  await withLock(join(root, 'out', 'install.lock'), 'Waiting for another run that installs packages ...', async () => {
    if (await upToDate()) return;
    await step('Installing the npm packages', () => npm(['ci', ...quietInstall], { cwd: root }));
  });
}
