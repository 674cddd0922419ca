import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installAk } from '../../../../src/vscode/terminals/akShim.ts';

describe('installAk', () => {
  let scratch: string;
  let dist: string;
  const program = `console.log(JSON.stringify({ args: process.argv.slice(2), electron: process.env.ELECTRON_RUN_AS_NODE }))`;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit shïm 'ak "));
    dist = path.join(scratch, 'dist');
    mkdirSync(dist);
    for (const file of ['ak.js', 'supervisor.js', 'demoAgent.js'])
      writeFileSync(path.join(dist, file), program);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const install = () => installAk(path.join(scratch, 'storage'), { dist, node: process.execPath });
  /** A folder for the PATH with a Node that says this version, and otherwise is ours. */
  const nodeOf = (version: string) => {
    const folder = path.join(scratch, version);
    mkdirSync(folder);
    const script = `#!/bin/sh\ncase "$1" in --version) echo ${version} ;; *) exec '${process.execPath}' "$@" ;; esac\n`;
    writeFileSync(path.join(folder, 'node'), script, { mode: 0o755 });
    return folder;
  };
  const run = (bin: string, PATH: string, ...args: string[]) =>
    JSON.parse(execFileSync(path.join(bin, 'ak'), args, { env: { PATH }, encoding: 'utf8' })) as {
      args: string[];
      electron?: string;
    };

  it('runs the copy under the Node of the PATH, with its arguments as they are', async () => {
    const bin = await install();
    rmSync(dist, { recursive: true });
    const answer = run(bin, `${path.dirname(process.execPath)}:/usr/bin:/bin`, 'lane', 'a b', "'", '$HOME');
    assert.deepEqual(answer, { args: ['lane', 'a b', "'", '$HOME'] });
  });

  it("falls back to VS Code's own where the PATH has none", async () => {
    assert.deepEqual(run(await install(), scratch, 'x'), { args: ['x'], electron: '1' });
  });

  for (const version of ['v18.20.0', 'v20.11.0', 'v22.0.0', 'v22.9.0', 'v22.12.1'])
    it(`falls back where the one on the PATH is too old: ${version}`, async () => {
      assert.equal(run(await install(), nodeOf(version), 'x').electron, '1');
    });

  for (const version of ['v22.13.0', 'v22.20.1', 'v23.0.0', 'v24.1.0', 'v30.0.0'])
    it(`takes the one on the PATH from 22.13 on: ${version}`, async () => {
      assert.equal(run(await install(), nodeOf(version), 'x').electron, undefined);
    });

  it('stays at one place over builds', async () => {
    const bin = await install();
    assert.equal(await install(), bin);
    assert.equal(statSync(path.join(bin, 'ak')).mode & 0o777, 0o755);
  });

  it('runs the newest build, also when its version is the same, and keeps the earlier one for who uses it', async () => {
    const bin = await install();
    const copyOf = () => /^ak='(.*)\/ak\.js'$/m.exec(readFileSync(path.join(bin, 'ak'), 'utf8'))?.[1];
    const first = copyOf();
    writeFileSync(path.join(dist, 'ak.js'), program.replace('args:', 'newer: true, args:'));
    await install();
    assert.notEqual(copyOf(), first);
    assert.deepEqual(run(bin, scratch, 'x'), { newer: true, args: ['x'], electron: '1' });
    writeFileSync(path.join(dist, 'ak.js'), program);
    await install();
    assert.equal(copyOf(), first);
    assert.equal(readdirSync(path.join(scratch, 'storage', 'versions')).length, 2);
  });
});
