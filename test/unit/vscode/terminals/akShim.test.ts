import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

  const install = (version: string) =>
    installAk(path.join(scratch, 'storage'), { dist, version, node: process.execPath });
  const run = (bin: string, PATH: string, ...args: string[]) =>
    JSON.parse(execFileSync(path.join(bin, 'ak'), args, { env: { PATH }, encoding: 'utf8' })) as {
      args: string[];
      electron?: string;
    };

  it('runs the copy under the Node of the PATH, with its arguments as they are', async () => {
    const bin = await install('1.0.0');
    rmSync(dist, { recursive: true });
    const answer = run(bin, `${path.dirname(process.execPath)}:/usr/bin:/bin`, 'lane', 'a b', "'", '$HOME');
    assert.deepEqual(answer, { args: ['lane', 'a b', "'", '$HOME'] });
  });

  it("falls back to VS Code's own where the PATH has none", async () => {
    assert.deepEqual(run(await install('1.0.0'), scratch, 'x'), { args: ['x'], electron: '1' });
  });

  it('falls back where the one on the PATH is too old', async () => {
    const old = path.join(scratch, 'old');
    mkdirSync(old);
    writeFileSync(path.join(old, 'node'), '#!/bin/sh\necho v20.11.0\n', { mode: 0o755 });
    assert.equal(run(await install('1.0.0'), old, 'x').electron, '1');
  });

  it('stays at one place over versions', async () => {
    const bin = await install('1.0.0');
    assert.equal(await install('1.1.0'), bin);
    assert.equal(await install('1.1.0'), bin);
    assert.equal(statSync(path.join(bin, 'ak')).mode & 0o777, 0o755);
  });
});
