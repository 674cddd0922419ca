#!/usr/bin/env node
import { join } from 'node:path';
import { ensureNode } from './ensureNode.ts';
import { runCli } from './runCli.ts';

/** The only place of `ak` that exits. */
async function main(): Promise<void> {
  // What we start must not become Node by accident because VS Code's own Electron runs us.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const status = ensureNode(join(__dirname, '..')) ?? (await runCli(process.argv.slice(2)));
  process.exit(status);
}

void main();
