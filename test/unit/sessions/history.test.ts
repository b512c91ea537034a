import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pendingArchives, SessionHistory } from '../../../src/core/sessions/history.ts';
import type { SessionRecord } from '../../../src/core/sessions/records.ts';
import { useTemporaryFolder } from './support.ts';

const first = '## Compaction 1\n\n**User:** rename α to β 📁\n\n';
const second = '## Compaction 2\n\n**User:** and now the tests\n\n';

describe('history.md', () => {
  const folder = useTemporaryFolder();
  const path = () => join(folder(), 'history.md');

  it('grows by each archive, readable by the owner only', async () => {
    const history = new SessionHistory(path());
    await history.append(first);
    await history.append(second);
    assert.equal(await readFile(path(), 'utf8'), first + second);
    assert.equal((await stat(path())).mode & 0o777, 0o600);
  });

  it('does not hold an archive twice when the crash came before its completion was recorded', async () => {
    await new SessionHistory(path()).append(first);
    await new SessionHistory(path()).append(second);
    await new SessionHistory(path()).append(second);
    assert.equal(await readFile(path(), 'utf8'), first + second);
  });

  it('completes an archive that was cut off in its middle, at whichever byte', async () => {
    const bytes = Buffer.from(second);
    for (let cut = 16; cut < bytes.length; cut++) {
      await writeFile(path(), Buffer.concat([Buffer.from(first), bytes.subarray(0, cut)]));
      await new SessionHistory(path()).append(second);
      assert.equal(await readFile(path(), 'utf8'), first + second);
    }
  });

  it('names the archives that the log does not confirm, in their order', () => {
    const records: SessionRecord[] = [
      { type: 'archive_pending', generationId: 2, markdown: 'two' },
      { type: 'archive_done', generationId: 2 },
      { type: 'archive_pending', generationId: 3, markdown: 'three' },
      { type: 'archive_pending', generationId: 4, markdown: 'four' },
      { type: 'archive_done', generationId: 4 },
      { type: 'archive_pending', generationId: 5, markdown: 'five' },
    ];
    assert.deepEqual(pendingArchives(records), [
      { generationId: 3, markdown: 'three' },
      { generationId: 5, markdown: 'five' },
    ]);
  });

  it('says why it could not be written', async () => {
    const history = new SessionHistory(join(folder(), 'missing', 'history.md'));
    await assert.rejects(history.append(first), { name: 'SessionSaveError', kind: 'other', path: history.path });
  });
});
