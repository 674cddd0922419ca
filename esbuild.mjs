// Builds everything into dist/: the extension, `ak`, the supervisor, the demo agent and the board page.
import { build } from 'esbuild';
import { readFile, writeFile, rm } from 'node:fs/promises';
import { planJsonSchema } from './src/core/plan/planJsonSchema.ts';
import { repositoryJsonSchema } from './src/engine/plans/repositorySchema.ts';
import { bundleAk } from './scripts/build/bundleAk.mjs';
import { helpOfAk } from './src/cli/createProgram.ts';
import { buildBoard } from './webview/buildBoard.mjs';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const production = process.argv.includes('--production');

/** Options shared by every bundle; the packed extension has no dependency at run time. */
const shared = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  logLevel: 'warning',
};

const nodeBundle = { ...shared, platform: 'node', target: 'node22', format: 'cjs' };

const bundles = [
  {
    ...nodeBundle,
    entryPoints: { extension: 'src/extension.ts', agentKit: 'src/engine/agentKit.ts' },
    external: ['vscode', './agentKit.js'],
  },
  {
    ...nodeBundle,
    entryPoints: {
      supervisor: 'src/engine/process/supervisor.ts',
      demoAgent: 'src/engine/agents/demoAgent.ts',
    },
  },
];

if (production) await rm('dist', { recursive: true, force: true });
await Promise.all(bundles.map((options) => build({ ...options, outdir: 'dist' })));
await bundleAk({
  ...nodeBundle,
  outdir: 'dist',
  define: { AGENTKIT_VERSION: JSON.stringify(version), AGENTKIT_HELP: JSON.stringify(helpOfAk()) },
});
await buildBoard({ root: '.', outdir: 'dist', production });
await writeFile('dist/plan.schema.json', JSON.stringify(planJsonSchema()));
await writeFile('dist/agentkit.schema.json', JSON.stringify(repositoryJsonSchema()));
