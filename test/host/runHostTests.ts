import { runTests } from '@vscode/test-electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Demo, makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { endMarked } from '../../scripts/leftovers.mjs';
import { repositoryRoot } from '../../scripts/toolchain.mjs';

/** AGENTKIT_TEST_HOST names a VS Code executable; without it the browser-served VS Code stands in for one. */
const executable = process.env['AGENTKIT_TEST_HOST'] ?? path.join(import.meta.dirname, 'codeServerAsCode.ts');

const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-host-'));
// The tests drive runs in them; accounts and state are their own, so nothing in the user's home is touched.
const demo = makeDemo({ folder: path.join(scratch, "host's wörk space") });
const reloaded = makeDemo({ folder: path.join(scratch, "reloaded wörk's space") });

/** Opens a window on a demo, runs tests in it, and closes it. */
async function openWindow({ repository, env }: Demo, name: string, files: string): Promise<void> {
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: repositoryRoot,
    extensionTestsPath: path.join(repositoryRoot, 'dist', 'test', 'host', 'runSuite.js'),
    extensionTestsEnv: { ...env, AGENTKIT_TEST_FILES: files },
    launchArgs: [
      repository,
      `--user-data-dir=${path.join(scratch, `${name}-user`)}`,
      `--extensions-dir=${path.join(scratch, `${name}-extensions`)}`,
    ],
  });
}

/** Runs tests in windows that come one after the other; one that fails keeps those after it from opening. */
async function openWindows(windows: (() => Promise<void>)[]): Promise<void> {
  try {
    for (const open of windows) await open();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

try {
  await openWindows([() => openWindow(demo, 'suite', 'suite/**/*.test.js')]);
  // The same folder and profile twice: what one window leaves, the next one finds.
  await openWindows(
    ['leave', 'found'].map((name) => () => openWindow(reloaded, 'reload', `reload/${name}.test.js`)),
  );
} finally {
  await endMarked(reloaded.mark, 0);
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
