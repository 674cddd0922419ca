// @ts-check
// Bundles every test of test/host and the entry that VS Code calls into dist/test/host.
import { build } from 'esbuild';
import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './toolchain.mjs';

process.chdir(repositoryRoot);
const outdir = path.join('dist', 'test', 'host');
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['test/host/runSuite.ts', ...globSync('test/host/**/*.test.ts')],
  outbase: 'test/host',
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  sourcemap: true,
  external: ['vscode', 'mocha'],
  logLevel: 'warning',
});
