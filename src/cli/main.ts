#!/usr/bin/env node
import { join } from 'node:path';
import { ensureNode } from './ensureNode.ts';
import { quickAnswer } from './quickAnswer.ts';
import { written } from './writeOut.ts';

/** The only place of `ak` that exits. What it imports is loaded at every start, so it is little. */
async function main(): Promise<void> {
  // What we start must not become Node by accident because VS Code's own Electron runs us.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const argv = process.argv.slice(2);
  const status = quickAnswer(argv) ?? (await ensureNode(join(__dirname, '..'))) ?? (await run(argv));
  await written();
  process.exit(status);
}

async function run(argv: readonly string[]): Promise<number> {
  const { keepCompiled } = await import('../engine/keepCompiled.ts');
  keepCompiled(process.env);
  if (argv[0] === 'pick') {
    const { quickPick } = await import('./quickPick.ts');
    const status = await quickPick(argv.slice(1), __dirname);
    if (status !== undefined) return status;
  }
  const { runCli } = await import('./runCli.ts');
  return runCli(argv, __dirname);
}

main().catch(async (error: unknown) => {
  const { knownError } = await import('./knownError.ts');
  const known = knownError(error);
  process.stderr.write(`ak: ${known?.message ?? String(error)}\n`);
  process.exit(known?.exitCode ?? 70);
});
