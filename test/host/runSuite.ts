import { globSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { format } from 'node:util';

/** Bundled, this file lies in dist/test/host. */
const bundles = __dirname;
const repositoryRoot = path.resolve(bundles, '..', '..', '..');

/** Which of the bundled tests this window runs. */
const pattern = process.env['AGENTKIT_TEST_FILES'] ?? 'suite/**/*.test.js';

/**
 * VS Code calls this inside the extension host (`--extensionTestsPath`).
 *
 * @throws When a test failed: VS Code then ends with a non-zero exit code.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const tag = process.env['AGENTKIT_TEST_REPORT_TAG'];
  if (tag) Mocha.reporters.Base.consoleLog = (...line: unknown[]) => console.log(tag + format(...line));
  const reporter = path.join(repositoryRoot, 'scripts', 'countingReporter.cjs');
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 300_000, forbidOnly: true, reporter });
  for (const file of globSync(pattern, { cwd: bundles }).toSorted()) {
    mocha.addFile(path.join(bundles, file));
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} of the tests in the extension host failed.`);
}
