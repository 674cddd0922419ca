import { runTests } from '@vscode/test-electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { repositoryRoot } from '../../scripts/toolchain.mjs';

/** AGENTKIT_TEST_HOST names a VS Code executable; without it the browser-served VS Code stands in for one. */
const executable = process.env['AGENTKIT_TEST_HOST'] ?? path.join(import.meta.dirname, 'codeServerAsCode.ts');

const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-host-'));
// The tests drive runs in it; its accounts and state are its own, so nothing in the user's home is touched.
const demo = makeDemo({ folder: path.join(scratch, "host's wörk space") });
try {
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: repositoryRoot,
    extensionTestsPath: path.join(repositoryRoot, 'dist', 'test', 'host', 'runSuite.js'),
    extensionTestsEnv: demo.env,
    launchArgs: [
      demo.repository,
      `--user-data-dir=${path.join(scratch, 'user')}`,
      `--extensions-dir=${path.join(scratch, 'extensions')}`,
    ],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
