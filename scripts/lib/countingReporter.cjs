// Mocha reporter: failures only (or every test, with STEINER_TEST_VERBOSE), and the counts in a file that the caller
// of the suite names in STEINER_TEST_COUNTS. A run that dies leaves no such file, so it cannot pass for a good one.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

const { Base, Spec } = Mocha.reporters;
const { EVENT_RUN_END } = Mocha.Runner.constants;

module.exports = class CountingReporter extends (process.env.STEINER_TEST_VERBOSE ? Spec : Base) {
  /** @param {import('mocha').Runner} runner @param {import('mocha').MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.STEINER_TEST_COUNTS;
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      // The Spec reporter prints its own closing part.
      if (!process.env.STEINER_TEST_VERBOSE) this.epilogue();
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
