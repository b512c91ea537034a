import { isAbsolute, relative, sep } from 'node:path';

/** Both paths must be real paths (links resolved): a check on the text of a path alone follows links outside. */
export function isInsideFolder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
