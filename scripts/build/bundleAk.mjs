// @ts-check
// Bundles `ak` in pieces that are loaded when they are needed: every `import()` in its source begins one.
import { build, transform } from 'esbuild';
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packPieces } from './packPieces.mjs';
import { spareChildProcess } from './spareChildProcess.mjs';

/**
 * What is loaded together lies in one file, because each file costs a start half a millisecond: what answers
 * `ak --help`, and what every other command begins with or `ak pick` needs. Everything else has a file of its own.
 */
const groups = [
  { file: 'ak.js', entries: ['src/cli/main.ts'] },
  {
    file: 'ak-core.js',
    entries: [
      'src/cli/runCli.ts',
      'src/cli/commands/pick.ts',
      'src/engine/createPicker.ts',
      'src/engine/agents/demoUsage.ts',
    ],
  },
];

/** A piece of an older build stays this long for an `ak` that still runs, in milliseconds. */
const keepMs = 3_600_000;

/**
 * esbuild splits only ES modules, which Node starts more slowly, so each piece is turned into CommonJS afterwards.
 *
 * @param {import('esbuild').BuildOptions & { outdir: string, target: string, platform: 'node' }} options
 */
export async function bundleAk(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { ak: 'src/cli/main.ts' },
    plugins: [spareChildProcess],
    chunkNames: 'ak-[name]-[hash]',
    format: 'esm',
    splitting: true,
    // Nothing of what is split keeps its lines.
    sourcemap: false,
    write: false,
    metafile: true,
  });
  const pieces = new Map();
  for (const { path: file, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      // As `require`, which is there already.
      supported: { 'dynamic-import': false },
      target: options.target,
      platform: options.platform,
      minify: options.minify ?? false,
    });
    pieces.set(path.basename(file), code);
  }
  const files = packPieces(pieces, metafile, groups);
  // The entry comes last: whoever starts it finds its pieces.
  for (const [name, code] of [...files].reverse()) await writeFile(path.join(options.outdir, name), code);
  await chmod(path.join(options.outdir, 'ak.js'), 0o755);
  await removeOldPieces(options.outdir, new Set(files.keys()));
}

/**
 * @param {string} folder
 * @param {ReadonlySet<string>} current
 */
async function removeOldPieces(folder, current) {
  for (const name of await readdir(folder)) {
    if (!/^ak(-.*)?\.js(\.map)?$/.test(name) || current.has(name)) continue;
    const file = path.join(folder, name);
    if (Date.now() - (await stat(file)).mtimeMs > keepMs) await rm(file);
  }
}
