import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

describe('keepCompiled', function () {
  this.timeout(20_000);
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "agentkit code's ü "));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const state = () => join(root, 'agentkit');
  const folder = () => join(state(), 'compiled');

  /** Where a process of its own keeps what it compiled; undefined: nowhere. */
  function keptIn(
    variables: Record<string, string> = { HOME: root, XDG_STATE_HOME: root },
  ): string | undefined {
    const module = pathToFileURL(join(import.meta.dirname, '../../src/engine/keepCompiled.ts')).href;
    const program = `import { keepCompiled } from ${JSON.stringify(module)};
      import { getCompileCacheDir } from 'node:module';
      keepCompiled(process.env);
      console.log(JSON.stringify(getCompileCacheDir() ?? null));`;
    const { PATH = '' } = process.env;
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { PATH, ...variables },
      encoding: 'utf8',
    });
    assert.equal(ended.status, 0, ended.stderr);
    return (JSON.parse(ended.stdout) as string | null) ?? undefined;
  }

  it('keeps it in a folder of the person alone', () => {
    assert.ok(keptIn()?.startsWith(folder()));
    for (const each of [state(), folder()]) assert.equal(statSync(each).mode & 0o777, 0o700);
    assert.ok(keptIn()?.startsWith(folder()));
  });

  it('keeps nothing in a folder that others may write to', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    for (const [each, mode] of [
      [folder(), 0o777],
      [folder(), 0o720],
      [state(), 0o777],
    ] as const) {
      chmodSync(each, mode);
      assert.equal(keptIn(), undefined);
      chmodSync(each, 0o700);
    }
    assert.ok(keptIn()?.startsWith(folder()));
  });

  it('keeps nothing where a link or a file is in the way', () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(state(), { mode: 0o700 });
    symlinkSync(elsewhere, folder());
    assert.equal(keptIn(), undefined);
    rmSync(folder());
    writeFileSync(folder(), '');
    assert.equal(keptIn(), undefined);
  });

  it('does without a home', () => {
    assert.equal(keptIn({}), undefined);
    assert.equal(existsSync(state()), false);
  });
});
