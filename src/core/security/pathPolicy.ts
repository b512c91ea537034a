// Which paths lie inside the workspace. Decided on real paths, so that links cannot lead out (case A25).
import { posix, win32 } from 'node:path';

/**
 * `path` is `root` or lies below it; both are absolute with links resolved. Windows compares without case, the
 * stored path stays as it is; `root-evil` beside `root` is outside.
 */
export function isInside(path: string, root: string, platform: NodeJS.Platform = process.platform): boolean {
  const { relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix;
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
