// @ts-check
// Bundles `ak` in pieces that are loaded when they are needed: every `import()` in its source begins one.
import { build, transform } from 'esbuild';
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * @typedef {import('esbuild').BuildOptions & {
 *   outdir: string, minify: boolean, sourcemap: boolean, target: string, platform: 'node'
 * }} AkOptions
 */

/** A piece of an older build stays this long for an `ak` that still runs, in milliseconds. */
const keepMs = 3_600_000;

/**
 * Commander imports `node:child_process`, which takes a tenth of the start of Node, for programs of its own to run;
 * `ak` has none, so it is left to be loaded when it is used.
 *
 * @type {import('esbuild').Plugin}
 */
const spareChildProcess = {
  name: 'spare-child-process',
  setup({ onResolve, onLoad }) {
    const namespace = 'spare-child-process';
    onResolve({ filter: /^node:child_process$/ }, ({ path: module, importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path: module, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path: module }) => ({
      contents: `module.exports = { get spawn() { return process.getBuiltinModule('${module}').spawn; } };`,
    }));
  },
};

/**
 * esbuild splits only ES modules, which Node starts more slowly, so each piece is turned into CommonJS afterwards.
 *
 * @param {AkOptions} options
 */
export async function bundleAk(options) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: { ak: 'src/cli/main.ts' },
    plugins: [...(options.plugins ?? []), spareChildProcess],
    chunkNames: 'ak-[name]-[hash]',
    format: 'esm',
    splitting: true,
    sourcemap: options.sourcemap && 'inline',
    write: false,
  });
  // The entry comes last: whoever starts it finds its pieces.
  const files = outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const file of files) await writeCommonJs(file, options);
  await removeOldPieces(
    options.outdir,
    files.map((file) => path.basename(file.path)),
  );
}

/** @param {{ path: string }} file */
function isEntry(file) {
  return path.basename(file.path) === 'ak.js';
}

/**
 * @param {import('esbuild').OutputFile} file
 * @param {AkOptions} options
 */
async function writeCommonJs(file, { minify, sourcemap, target, platform }) {
  const name = path.basename(file.path);
  const { code, map } = await transform(file.text, {
    format: 'cjs',
    // As `require`, which is there already.
    supported: { 'dynamic-import': false },
    minify,
    sourcemap: sourcemap && 'external',
    sourcefile: name,
    target,
    platform,
  });
  if (sourcemap) await writeFile(`${file.path}.map`, map);
  await writeFile(file.path, sourcemap ? `${code}//# sourceMappingURL=${name}.map\n` : code);
  if (isEntry(file)) await chmod(file.path, 0o755);
}

/**
 * @param {string} folder
 * @param {string[]} current
 */
async function removeOldPieces(folder, current) {
  const pieces = (await readdir(folder)).filter((name) => /^ak-.*\.js(\.map)?$/.test(name));
  for (const name of pieces) {
    const file = path.join(folder, name);
    if (current.includes(name.replace(/\.map$/, ''))) continue;
    if (Date.now() - (await stat(file)).mtimeMs > keepMs) await rm(file);
  }
}
