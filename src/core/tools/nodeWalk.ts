// All files below a folder, by the rules of git and ripgrep for what is left out.
import { dirname, join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ignoreBoundary } from './ignoreBoundary.ts';
import { decodeText } from './textFile.ts';
import type { ToolContext } from './tool.ts';

const LEFT_OUT = ['.git', 'node_modules'];

/** One .gitignore; it speaks about what lies below its folder. */
interface IgnoreFile {
  /** Real path with forward slashes and one at the end. */
  folder: string;
  rules: Ignore;
}

/** Absolute paths. Links are not followed, so none can lead in a circle. */
export async function walk(root: string, { files, signal }: ToolContext): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string, realFolder: string, above: readonly IgnoreFile[]): Promise<void> => {
    signal.throwIfAborted();
    const entries = await files.list(folder).catch(() => []);
    const names = entries.map(({ name }) => name);
    const own = names.includes('.gitignore') ? await ignoreFileIn(realFolder, files) : [];
    const ignoreFiles = [...(names.includes('.git') ? [] : above), ...own];
    for (const { name, kind } of entries) {
      if (LEFT_OUT.includes(name)) continue;
      const path = join(folder, name);
      const realPath = `${realFolder}${name}`;
      if (kind === 'folder' && !isIgnored(`${realPath}/`, ignoreFiles)) await visit(path, `${realPath}/`, ignoreFiles);
      if (kind === 'file' && !isIgnored(realPath, ignoreFiles)) found.push(path);
    }
  };
  const realRoot = await files.realPath(root);
  const above = await ignoreFilesAbove(realRoot, files);
  // Who searches in an ignored folder wants what is in it.
  await visit(root, withSlashes(realRoot), isIgnored(withSlashes(realRoot), above) ? [] : above);
  return found;
}

/** Outermost first. */
async function ignoreFilesAbove(root: string, files: ToolContext['files']): Promise<IgnoreFile[]> {
  const found: IgnoreFile[] = [];
  const { top } = await ignoreBoundary(root, files);
  for (let folder = root; folder !== top; ) {
    folder = dirname(folder);
    found.unshift(...(await ignoreFileIn(withSlashes(folder), files)));
  }
  return found;
}

/** None or one. */
async function ignoreFileIn(folder: string, files: ToolContext['files']): Promise<IgnoreFile[]> {
  const bytes = await files.read(join(folder, '.gitignore')).catch(() => undefined);
  const file = bytes && decodeText(bytes);
  return file ? [{ folder, rules: ignore().add(file.text) }] : [];
}

/** The innermost file that says something about the path decides. A folder's path ends with a slash. */
function isIgnored(realPath: string, ignoreFiles: readonly IgnoreFile[]): boolean {
  for (const { folder, rules } of ignoreFiles.toReversed()) {
    const { ignored, unignored } = rules.test(realPath.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function withSlashes(folder: string): string {
  return `${folder.split(sep).join('/').replace(/\/$/, '')}/`;
}
