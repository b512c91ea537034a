// Texts that a new generation carries over, as they are on disk (or in the editor) at that moment.
import type { TextInUse } from '../compaction/textsInUse.ts';
import { looksSecret } from '../security/secretFiles.ts';
import type { WorkspaceFiles } from '../tools/ports.ts';
import { resolvePath } from '../tools/resolvePath.ts';
import { decodeText } from '../tools/textFile.ts';

/** Bytes; of a larger file no text is carried over. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/**
 * Nobody is asked here, so only what may be read unasked is read: a path can lead elsewhere than when it was approved.
 * Undefined: the file is gone, is no text, or may not be read like that. Never fails.
 */
export async function textOnDisk({ path, lines }: TextInUse, files: WorkspaceFiles): Promise<string | undefined> {
  try {
    const resolved = await resolvePath(path, files);
    if (!resolved.readable || looksSecret(resolved.realPath)) return undefined;
    const stat = await files.stat(resolved.realPath);
    if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return undefined;
    const text = decodeText(await files.read(path))?.text;
    return lines
      ? text
          ?.split('\n')
          .slice(lines.start - 1, lines.end)
          .join('\n')
      : text;
  } catch {
    return undefined;
  }
}
