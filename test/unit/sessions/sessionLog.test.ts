import assert from 'node:assert/strict';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { type LogFile, openLogFile } from '../../../src/core/sessions/logFile.ts';
import { readLog } from '../../../src/core/sessions/readLog.ts';
import type { SessionSaveError } from '../../../src/core/sessions/saveError.ts';
import { SessionLog } from '../../../src/core/sessions/sessionLog.ts';
import { messageRecord, textsOf, useTemporaryFolder } from './support.ts';

describe('session log', () => {
  const folder = useTemporaryFolder();
  const path = () => join(folder(), 'log.jsonl');

  async function written(...texts: string[]): Promise<void> {
    const log = await SessionLog.open({ path: path(), wholeBytes: 0 });
    for (const [index, text] of texts.entries()) await log.append(messageRecord(index + 1, text));
    await log.close();
  }

  it('keeps any text, in order, one line each, readable by the owner only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 12 }), async (texts) => {
        await writeFile(path(), '');
        await written(...texts);
        const log = await readLog(path());
        assert.deepEqual(textsOf(log.records), texts);
        assert.equal((await readFile(path(), 'utf8')).split('\n').length, texts.length + 1);
      }),
      { numRuns: 40 },
    );
    assert.equal((await stat(path())).mode & 0o777, 0o600);
  });

  it('takes the record as it is when it is appended', async () => {
    const log = await SessionLog.open({ path: path(), wholeBytes: 0 });
    const settings = {
      model: { provider: 'offline' as const, model: 'offline' },
      mode: 'build' as const,
      enabledSkills: ['a'],
      approvals: [],
    };
    const done = log.append({ type: 'settings', settings });
    settings.enabledSkills.push('b');
    await done;
    await log.close();
    const [record] = (await readLog(path())).records;
    assert.deepEqual(record?.type === 'settings' && record.settings.enabledSkills, ['a']);
  });

  it('A22: drops a torn last line, at whichever byte the crash came, and the next append starts clean', async () => {
    await written('first', 'zwölf 📁');
    const whole = await readFile(path());
    const firstLine = whole.indexOf(0x0a) + 1;
    for (let cut = firstLine; cut < whole.length; cut++) {
      await writeFile(path(), whole.subarray(0, cut));
      const torn = await readLog(path());
      assert.deepEqual(textsOf(torn.records), ['first']);
      assert.equal(torn.tornBytes, cut - firstLine);
      const log = await SessionLog.open({ path: path(), wholeBytes: torn.wholeBytes });
      await log.append(messageRecord(3, 'third'));
      await log.close();
      const healed = await readLog(path());
      assert.deepEqual([textsOf(healed.records), healed.badLines, healed.tornBytes], [['first', 'third'], [], 0]);
    }
  });

  it('A22: sets a bad line in the middle aside, reports it, and never deletes it', async () => {
    await written('first');
    const bad = ['{"type":"message","mess', '{"type":"message","message":{"role":"user"}}', '{"type":"dance"}', '[]'];
    await appendFile(path(), `${bad.join('\n')}\n`);
    await appendFile(path(), Buffer.from([0xff, 0xfe, 0x0a]));
    const { wholeBytes } = await readLog(path());
    const log = await SessionLog.open({ path: path(), wholeBytes });
    await log.append(messageRecord(2, 'second'));
    await log.close();
    const loaded = await readLog(path());
    assert.deepEqual(textsOf(loaded.records), ['first', 'second']);
    assert.deepEqual(
      loaded.badLines.map(({ line, problem }) => `${line}: ${problem}`),
      [
        '2: not JSON',
        '3: incomplete message record',
        '4: unknown record type "dance"',
        '5: not an object',
        '6: not UTF-8',
      ],
    );
    const kept = await readFile(path(), 'utf8');
    for (const line of bad) assert.ok(kept.includes(line));
  });

  it('A17: never stores a lone surrogate, and heals one that is stored already', async () => {
    await written('half \ud83d emoji');
    assert.ok(!/\\ud83d/i.test(await readFile(path(), 'utf8')));
    assert.deepEqual(textsOf((await readLog(path())).records), ['half \ufffd emoji']);
    const poisoned = JSON.stringify(messageRecord(1, 'old \udcc1 text, and a literal \\ud83d'));
    await writeFile(path(), `${poisoned}\n`);
    assert.deepEqual(textsOf((await readLog(path())).records), ['old \ufffd text, and a literal \\ud83d']);
  });

  it('A22: on a full disk nothing is lost or changes places, the user is told once, and saving resumes', async () => {
    const disk = new FillableDisk();
    const told: (SessionSaveError | undefined)[] = [];
    const log = await SessionLog.open({
      path: path(),
      wholeBytes: 0,
      openFile: disk.open,
      onSaveState: (problem) => told.push(problem),
    });
    await log.append(messageRecord(1, 'one'));
    disk.freeBytes = 25;
    await log.append(messageRecord(2, 'two'));
    await log.append(messageRecord(3, 'three'));
    await assert.rejects(log.flush(), { name: 'SessionSaveError', kind: 'disk_full' });
    assert.deepEqual(
      told.map((problem) => problem?.kind),
      ['disk_full'],
    );
    const meanwhile = await readLog(path());
    assert.deepEqual([textsOf(meanwhile.records), meanwhile.tornBytes], [['one'], 0]);
    disk.freeBytes = Number.POSITIVE_INFINITY;
    await log.append(messageRecord(4, 'four'));
    await log.close();
    assert.deepEqual(textsOf((await readLog(path())).records), ['one', 'two', 'three', 'four']);
    assert.deepEqual(
      told.map((problem) => problem?.kind),
      ['disk_full', undefined],
    );
  });

  it('A22: writes nothing more into a log that another window took over', async () => {
    const disk = new FillableDisk();
    const log = await SessionLog.open({ path: path(), wholeBytes: 0, openFile: disk.open });
    disk.freeBytes = 0;
    await log.append(messageRecord(1, 'one'));
    disk.freeBytes = Number.POSITIVE_INFINITY;
    await log.abandon();
    assert.equal(await readFile(path(), 'utf8'), '');
  });

  it('A22: cuts the half-written line later when even that failed on the full disk', async () => {
    const disk = new FillableDisk();
    const log = await SessionLog.open({ path: path(), wholeBytes: 0, openFile: disk.open });
    await log.append(messageRecord(1, 'one'));
    disk.freeBytes = 10;
    disk.truncates = false;
    await log.append(messageRecord(2, 'two'));
    assert.ok((await readLog(path())).tornBytes > 0);
    disk.freeBytes = Number.POSITIVE_INFINITY;
    disk.truncates = true;
    await log.close();
    const loaded = await readLog(path());
    assert.deepEqual([textsOf(loaded.records), loaded.badLines], [['one', 'two'], []]);
  });
});

/** A real file on a disk that runs full in the middle of a write. */
class FillableDisk {
  freeBytes = Number.POSITIVE_INFINITY;
  truncates = true;

  readonly open = async (path: string): Promise<LogFile> => {
    const file = await openLogFile(path);
    return {
      ...file,
      append: async (bytes) => {
        await file.append(bytes.subarray(0, this.freeBytes));
        if (bytes.length > this.freeBytes) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      },
      truncate: async (length) => {
        if (!this.truncates) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
        await file.truncate(length);
      },
    };
  };
}
