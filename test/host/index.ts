// What VS Code loads as `extensionTestsPath`: runs the suites of this folder with mocha inside the extension host.
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from '../../scripts/lib/countingReporter.cjs';

/** Sets the suites' output apart from the workbench's own in the console that scripts/test-host.mjs reads. */
const marker = '[suite] ';

/** @throws {Error} when a test failed or none ran; VS Code turns it into a non-zero exit code */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, color: false, reporter: CountingReporter });
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => console.log(marker + format(...parts));
  // The suites call describe() when they are evaluated, so mocha's globals must be there first.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, 'suites', mocha);
  await import('steiner:host-suites');
  const { failures, total } = await new Promise<{ failures: number; total: number }>((resolve) => {
    const runner = mocha.run((failed) => resolve({ failures: failed, total: runner.total }));
  });
  if (total === 0) throw new Error('No test ran in the extension host.');
  if (failures > 0) throw new Error(`${failures} of ${total} tests failed in the extension host.`);
}
