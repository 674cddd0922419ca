// Mocha's spec report, and what became of each test file in the file that AGENTKIT_TEST_COUNTS names.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_RUN_END } = Mocha.Runner.constants;

class CountingReporter extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const countsFile = process.env['AGENTKIT_TEST_COUNTS'];
    if (!countsFile) return;
    // A tier whose files run in several windows has one Mocha run after the other.
    /** @type {import('./testTier.mjs').Counts} */
    const before = existsSync(countsFile)
      ? JSON.parse(readFileSync(countsFile, 'utf8'))
      : { pending: 0, files: {} };
    const { files } = before;
    /** @param {Mocha.Runnable} runnable */
    const outcomeOf = (runnable) => {
      const name = path.relative(process.cwd(), runnable.file ?? '');
      return (files[name] ??= { passed: 0, failures: [] });
    };
    runner.on(EVENT_TEST_PASS, (test) => {
      outcomeOf(test).passed += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      outcomeOf(test).failures.push({
        title: test.fullTitle(),
        message: String(error?.stack ?? error?.message ?? error),
      });
    });
    runner.once(EVENT_RUN_END, () => {
      writeFileSync(countsFile, JSON.stringify({ pending: before.pending + this.stats.pending, files }));
    });
  }
}

module.exports = CountingReporter;
