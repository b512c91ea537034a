// Finds the ripgrep that VS Code itself ships; its folder changed between versions.
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Absolute path, or undefined when this VS Code has none where we know to look. */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const candidates = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, binary),
    join(appRoot, modules, '@vscode', 'ripgrep', 'bin', binary),
  ]);
  for (const candidate of candidates) {
    const found = await access(candidate).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}
