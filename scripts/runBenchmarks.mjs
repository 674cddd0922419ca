// @ts-check
// `npm run bench`: runs every benchmark of test/bench by itself, one after another.
import { globSync } from 'node:fs';
import { runCommand } from './runCommand.mjs';
import { prepareToolchain, repositoryRoot } from './toolchain.mjs';

/** What the benchmarks share. */
const shared = 'test/bench/compare.ts';

const toolchain = prepareToolchain();
for (const benchmark of globSync('test/bench/*.ts', { cwd: repositoryRoot }).toSorted()) {
  if (benchmark === shared) continue;
  console.log(`\n== ${benchmark}`);
  const code = await runCommand(toolchain, [benchmark]);
  if (code !== 0) process.exitCode = code;
}
