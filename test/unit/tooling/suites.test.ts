import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runSuite } from '../../../scripts/lib/suites.mjs';

describe('one suite of npm test', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steiner-suites-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const counts = (passed: number, failed: number) =>
    `require('fs').writeFileSync(process.env.STEINER_TEST_COUNTS, '{"passed":${passed},"failed":${failed},"skipped":1}');`;

  async function run(name: string, code: string, timeoutMs = 10_000) {
    const script = join(folder, `${name}.cjs`);
    await writeFile(script, code);
    return runSuite(`tooling-${name}`, script, { timeoutMs });
  }

  it('counts what the suite counted', async () => {
    const result = await run('good', counts(3, 0));
    assert.deepEqual([result.passed, result.failed, result.skipped, result.problem], [3, 0, 1, undefined]);
  });

  it('a failed test is one failure, with the output', async () => {
    const result = await run('bad', `${counts(3, 2)} console.log('why'); process.exitCode = 2;`);
    assert.deepEqual([result.passed, result.failed, result.problem], [3, 2, undefined]);
    assert.match(result.output, /why/);
  });

  it('a run without any test fails', async () => {
    const result = await run('empty', counts(0, 0));
    assert.deepEqual([result.failed, result.problem], [1, 'it ran no test']);
  });

  it('a run that dies before it has counted fails', async () => {
    const result = await run('dead', 'process.exit(0);');
    assert.equal(result.failed, 1);
    assert.match(result.problem ?? '', /without counts/);
  });

  it('a non-zero exit after passed tests fails', async () => {
    const result = await run('exit', `${counts(3, 0)} process.exit(7);`);
    assert.equal(result.failed, 1);
    assert.match(result.problem ?? '', /ended with 7/);
  });

  it('counts of an earlier run are not taken for those of this one', async () => {
    await run('again', counts(3, 0));
    const result = await run('again', '');
    assert.deepEqual([result.passed, result.failed], [0, 1]);
  });

  it('a suite that hangs is ended with its children, and fails', async () => {
    // A killed process may stay in the process table; what counts is that it does nothing any more.
    const beats = join(folder, 'beats');
    const beat = `setInterval(() => require('fs').appendFileSync('${beats}', '.'), 20)`;
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(beat)}]);`;
    const result = await run('hang', `${counts(3, 0)} ${child} setInterval(() => {}, 1000);`, 1_000);
    assert.equal(result.failed, 1);
    assert.match(result.problem ?? '', /did not end within 1 s/);
    const length = (await readFile(beats)).length;
    assert.ok(length > 0);
    await wait(200);
    assert.equal((await readFile(beats)).length, length);
  });
});
