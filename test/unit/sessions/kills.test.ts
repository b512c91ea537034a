import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { readLog } from '../../../src/core/sessions/readLog.ts';
import { countedIds, storeIn, textsOf, useTemporaryFolder } from './support.ts';

const KILLS = 50;
/** Short logs keep the test fast. */
const KILLS_PER_SESSION = 5;

describe('session log under SIGKILL', () => {
  const folder = useTemporaryFolder();

  it(`A22: after each of ${KILLS} kills at random moments no saved record is missing and writing goes on`, async function () {
    this.timeout(60_000);
    const child = join(folder(), 'child.mjs');
    await build({
      entryPoints: [join(process.cwd(), 'test/unit/sessions/killedWriter.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
    });
    const root = join(folder(), 'sessions');
    const ids = countedIds();
    let session = await storeIn(root, { ids }).create([]);
    await session.close();
    let before = 0;
    let written = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const confirmed = await writeUntilKilled(child, root, session.id);
      const log = await readLog(session.folder.log);
      const numbers = textsOf(log.records).map((text) => Number.parseInt(text, 10));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
        'records are missing, doubled or out of order',
      );
      assert.deepEqual(log.badLines, []);
      assert.ok(
        numbers.length >= Math.max(confirmed, before),
        `${confirmed} were confirmed, ${numbers.length} are there`,
      );
      before = numbers.length;
      if (kill % KILLS_PER_SESSION !== 0) continue;
      written += before;
      before = 0;
      session = await storeIn(root, { ids }).create([]);
      await session.close();
    }
    assert.ok(written > KILLS, `only ${written} records were written`);
  });
});

/** Resolves with the number of the last record whose append had resolved. */
async function writeUntilKilled(child: string, root: string, id: string): Promise<number> {
  const writer = spawn(process.execPath, [child, root, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('\n')) {
    assert.equal(writer.exitCode, null, 'the writer ended by itself');
    await wait(2);
  }
  await wait(Math.random() * 10);
  const closed = once(writer, 'close');
  writer.kill('SIGKILL');
  await closed;
  const whole = output.slice(0, output.lastIndexOf('\n'));
  return Number.parseInt(whole.slice(whole.lastIndexOf('\n') + 1), 10);
}
