import { type Metafile, build } from 'esbuild';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

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
