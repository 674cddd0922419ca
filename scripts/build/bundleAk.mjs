// @ts-check
// Bundles `ak` in pieces that are loaded when they are needed: every `import()` in its source begins one.
import { build, transform } from 'esbuild';
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packPieces } from './packPieces.mjs';
import { plainFileReads } from './plainFileReads.mjs';
import { spareChildProcess } from './spareChildProcess.mjs';

/**
 * What is loaded together lies in one file, because each file costs a start half a millisecond: what answers
 * `ak --help`, and what every other command begins with. Everything else has a file of its own.
 */
const groups = [
  { file: 'ak.js', entries: ['src/cli/main.ts', 'src/engine/keepCompiled.ts'] },
  { file: 'ak-core.js', entries: ['src/cli/runCli.ts'] },
];

/** The one command that scripts wait for at every piece of work. */
const quickPick = {
  entry: 'src/cli/quickPick.ts',
  file: 'ak-pick.js',
  /** Of what it imports later, only modules of ours that it seldom needs lie elsewhere. */
  elsewhere: /^src\/(?!engine\/agents\/demoUsage\.ts$)/,
};

/** A piece of an older build stays this long for an `ak` that still runs, in milliseconds. */
const keepMs = 3_600_000;

/** @typedef {import('esbuild').BuildOptions & { outdir: string, target: string, platform: 'node' }} AkOptions */

/** What is put together afterwards; nothing of what is split keeps its lines. */
const inMemory = /** @type {const} */ ({ write: false, metafile: true, sourcemap: false });

/** `import()` as `require`, which is there already. */
const supported = { 'dynamic-import': false };

/** @param {AkOptions} options */
export async function bundleAk(options) {
  const { pieces, metafile } = await splitProgram(options);
  pieces.set(quickPick.file, await bundleQuickPick(options, metafile));
  const files = packPieces(pieces, metafile, groups);
  // The entry comes last: whoever starts it finds its pieces.
  for (const [name, code] of [...files].reverse()) await writeFile(path.join(options.outdir, name), code);
  await chmod(path.join(options.outdir, 'ak.js'), 0o755);
  await removeOldPieces(options.outdir, new Set(files.keys()));
}

/**
 * esbuild splits only ES modules, which Node starts more slowly, so each piece is turned into CommonJS afterwards.
 *
 * @param {AkOptions} options
 */
async function splitProgram(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    ...inMemory,
    entryPoints: { ak: 'src/cli/main.ts' },
    plugins: [
      spareChildProcess,
      importFrom((module) => (module === quickPick.entry ? quickPick.file : undefined)),
    ],
    chunkNames: 'ak-[name]-[hash]',
    format: 'esm',
    splitting: true,
  });
  const pieces = new Map();
  for (const { path: file, text } of outputFiles) {
    const { target, platform, minify = false } = options;
    const { code } = await transform(text, { format: 'cjs', supported, target, platform, minify });
    pieces.set(path.basename(file), code);
  }
  return { pieces, metafile };
}

/**
 * The quickest way to start is one file without seams. What it imports later are pieces of the program.
 *
 * @param {AkOptions} options
 * @param {import('esbuild').Metafile} metafile Of the program.
 */
async function bundleQuickPick(options, metafile) {
  const pieceOf = new Map(
    Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [entryPoint, path.basename(file)]),
  );
  const { outputFiles } = await build({
    ...options,
    ...inMemory,
    entryPoints: [quickPick.entry],
    plugins: [
      plainFileReads,
      importFrom((module) => (quickPick.elsewhere.test(module) ? pieceOf.get(module) : undefined)),
    ],
    format: 'cjs',
    supported,
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Leaves modules that are imported by `import()` to other files of the bundle.
 *
 * @param {(module: string) => string | undefined} fileOf By the path from the root.
 * @returns {import('esbuild').Plugin}
 */
function importFrom(fileOf) {
  return {
    name: 'import-from',
    setup({ onResolve, resolve, initialOptions }) {
      const root = initialOptions.absWorkingDir ?? process.cwd();
      onResolve({ filter: /.*/ }, async ({ path: request, kind, pluginData, ...from }) => {
        if (kind !== 'dynamic-import' || pluginData === importFrom) return undefined;
        const found = await resolve(request, { ...from, kind, pluginData: importFrom });
        const file = fileOf(path.relative(root, found.path).split(path.sep).join('/'));
        return file === undefined ? undefined : { path: `./${file}`, external: true };
      });
    },
  };
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
