import { type Metafile, build } from 'esbuild';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spareChildProcess } from '../../scripts/build/spareChildProcess.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

describe('the bundle of `ak`', () => {
  /** The modules that a program takes in, as paths from the root. */
  async function inputsOf(entry: string): Promise<string[]> {
    const { metafile }: { metafile: Metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'dist',
      platform: 'node',
      external: ['vscode', './agentKit.js'],
      logLevel: 'silent',
    });
    return Object.keys(metafile.inputs);
  }
  const isOfEditor = (input: string) => input.startsWith('src/vscode/');

  it('has nothing of the editor', async () => {
    assert.deepEqual((await inputsOf('src/cli/main.ts')).filter(isOfEditor), []);
  });

  it('while the extension has', async () => {
    assert.notDeepEqual((await inputsOf('src/extension.ts')).filter(isOfEditor), []);
  });
});

describe('what a plain `ak pick` loads', () => {
  /** Everything that is loaded before it answers, without what it imports later: modules from the root, and built-ins. */
  async function loadedBy(entries: readonly string[]): Promise<string[]> {
    const { metafile }: { metafile: Metafile } = await build({
      absWorkingDir: root,
      entryPoints: { ak: 'src/cli/main.ts' },
      bundle: true,
      splitting: true,
      format: 'esm',
      write: false,
      metafile: true,
      outdir: 'dist',
      platform: 'node',
      plugins: [spareChildProcess],
      logLevel: 'silent',
    });
    const loaded = new Set<string>();
    const visit = (file: string) => {
      for (const input of Object.keys(metafile.outputs[file]!.inputs)) loaded.add(input);
      for (const { path: target, kind, external } of metafile.outputs[file]!.imports) {
        if (kind === 'dynamic-import' || loaded.has(target)) continue;
        loaded.add(target);
        if (external !== true) visit(target);
      }
    };
    for (const [file, { entryPoint }] of Object.entries(metafile.outputs))
      if (entryPoint !== undefined && entries.includes(entryPoint)) visit(file);
    return [...loaded];
  }
  const slow =
    /(^|\/)node_modules\/(commander|yaml|picomatch|write-file-atomic|zod\/v4\/classic)\/|^node:(child_process|crypto|sqlite|worker_threads)$/;
  const startOfPick = ['src/cli/main.ts', 'src/cli/quickPick.ts', 'src/engine/agents/demoUsage.ts'];

  it('has nothing that is slow to load', async () => {
    assert.deepEqual(
      (await loadedBy(startOfPick)).filter((input) => slow.test(input)),
      [],
    );
  });

  it('while the parser and what conducts a run have', async () => {
    assert.notDeepEqual(
      (await loadedBy(['src/cli/commands/pick.ts', 'src/engine/agentKit.ts'])).filter((input) =>
        slow.test(input),
      ),
      [],
    );
  });

  it('has no more than its answer where `ak --help` is all', async () => {
    const modules = (await loadedBy(['src/cli/main.ts'])).filter((input) => input.endsWith('.ts'));
    assert.deepEqual(
      modules.filter((module) => !module.startsWith('src/cli/')),
      [],
    );
  });
});

describe('the size of source files', () => {
  const files = globSync('{src,webview}/**/*.ts', { cwd: root });
  const lines = (file: string) => readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length;
  const sizes = files.map(lines).sort((a, b) => a - b);
  const quantile = (share: number) => sizes[Math.ceil(sizes.length * share) - 1] ?? 0;

  it('has a median of at most 70 lines', () => {
    assert.ok(quantile(0.5) <= 70, `the median is ${quantile(0.5)}`);
  });

  it('has nine of ten files at no more than 200 lines', () => {
    assert.ok(quantile(0.9) <= 200, `the 90th percentile is ${quantile(0.9)}`);
  });

  it('never exceeds 300 lines, and 100 in extension.ts', () => {
    const limit = (file: string) => (file === path.join('src', 'extension.ts') ? 100 : 300);
    const tooLong = files.filter((file) => lines(file) > limit(file));
    assert.deepEqual(tooLong, []);
  });
});

describe('the lock file', () => {
  it('names no address that a package was fetched from', () => {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>;
    };
    const entries = Object.entries(lock.packages).filter(([folder]) => folder !== '');
    assert.ok(entries.length > 0);
    assert.deepEqual(
      entries.filter(([, { resolved }]) => resolved !== undefined).map(([folder]) => folder),
      [],
    );
    assert.deepEqual(
      entries.filter(([, { integrity }]) => integrity === undefined).map(([folder]) => folder),
      [],
    );
  });
});
