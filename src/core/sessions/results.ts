// Large tool results, saved whole; the prompt gets a part and the path (design section 8).
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wellFormed } from '../platform/text.ts';
import { saveError } from './saveError.ts';
import { FILE_MODE, FOLDER_MODE } from './sessionFolder.ts';

/** Saves the text below `folder` and returns its absolute path. Errors: SessionSaveError. */
export async function saveResult(folder: string, callId: string, text: string): Promise<string> {
  const path = join(folder, `${fileName(callId)}.txt`);
  const draft = `${path}.part`;
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const handle = await open(draft, 'w', FILE_MODE);
    try {
      await handle.writeFile(wellFormed(text), 'utf8');
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    return path;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw saveError(path, error);
  }
}

/** Call ids come from providers: an id that is no plain name keeps its letters and gets a hash, so two never meet. */
function fileName(callId: string): string {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(callId)) return callId;
  const plain = callId.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40);
  return `${plain}-${createHash('sha256').update(callId).digest('hex').slice(0, 12)}`;
}
