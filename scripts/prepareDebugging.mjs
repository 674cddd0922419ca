// @ts-check
// Before F5: builds, and makes the demo repository that the debugged window opens, once.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeDemo } from './demo/makeDemo.mjs';
import { runCommand } from './runCommand.mjs';
import { prepareToolchain, repositoryRoot } from './toolchain.mjs';

/** `.vscode/launch.json` names it and the accounts beside it too. */
const folder = path.join(repositoryRoot, '.vscode-test', 'debug', 'invoices');

process.exitCode = await runCommand(prepareToolchain(), ['esbuild.mjs']);
if (!existsSync(folder)) makeDemo({ folder });
