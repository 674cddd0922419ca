// @ts-check
// `npm start`: installs, builds, makes the demo and shows it in VS Code, or runs it without an editor. Plain Node 20.
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDemo, refuseUsedFolders } from './demo/makeDemo.mjs';
import { parseFlags, usage } from './demo/parseFlags.mjs';
import { runHeadless } from './demo/runHeadless.mjs';
import { showInEditor } from './demo/showInEditor.mjs';
import { tellFailure } from './demo/tellFailure.mjs';
import { runCommand } from './runCommand.mjs';
import { prepareToolchain } from './toolchain.mjs';

try {
  process.exitCode = await start();
} catch (error) {
  process.exitCode = tellFailure(error, process.argv.includes('--json'));
}

/** @returns {Promise<number>} The exit code. */
async function start() {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) {
    process.stdout.write(usage);
    return 0;
  }
  // First of all: a folder that cannot be used is told before anything is installed.
  if (flags.dir !== undefined) refuseUsedFolders(flags.dir);
  const toolchain = prepareToolchain();
  console.error('Building…');
  const built = await runCommand(toolchain, ['esbuild.mjs']);
  if (built !== 0) throw new Error('The build failed. Its output is above.');
  const demo = makeDemo({
    folder: flags.dir ?? path.join(mkdtempSync(path.join(os.tmpdir(), 'agentkit-demo-')), 'invoices'),
  });
  return flags.headless
    ? runHeadless({ demo, toolchain, json: flags.json })
    : showInEditor({ demo, toolchain });
}
