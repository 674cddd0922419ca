#!/usr/bin/env node
import { join } from 'node:path';
import { ensureNode } from './ensureNode.ts';
import { runCli } from './runCli.ts';

/** The only place of `ak` that exits. */
async function main(): Promise<void> {
  const status = ensureNode(join(__dirname, '..')) ?? (await runCli(process.argv.slice(2)));
  process.exit(status);
}

void main();
