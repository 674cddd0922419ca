import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDemo, refuseUsedFolders } from '../../../scripts/demo/makeDemo.mjs';
import { UsageError } from '../../../scripts/demo/usageError.mjs';
import { parsePlan } from '../../../src/core/plan/parsePlan.ts';

describe('makeDemo', () => {
  let scratch: string;
  let folder: string;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit demo's ü-"));
    folder = path.join(scratch, 'invoices');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();

  it('makes a clean repository with one commit under an identity of its own', () => {
    const demo = makeDemo({ folder });
    assert.equal(demo.repository, folder);
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('log', '--format=%an %ae'), 'AgentKit Demo demo@agentkit.invalid');
    assert.equal(git('symbolic-ref', '--short', 'HEAD'), 'main');
  });

  it('brings a plan that can be read, with three jobs, and accounts with different headroom', () => {
    const demo = makeDemo({ folder });
    const parsed = parsePlan(readFileSync(demo.plan, 'utf8'));
    assert.ok('plan' in parsed, JSON.stringify(parsed));
    assert.equal(parsed.plan.jobs.length, 3);
    const accounts = path.join(demo.env['AGENTKIT_PROFILES_DIR']!, 'demo');
    const used = readdirSync(accounts).map((name) =>
      readFileSync(path.join(accounts, name, 'usage.json'), 'utf8'),
    );
    assert.equal(new Set(used).size, 3);
  });

  it('brings tests and lint that pass before any agent worked', () => {
    makeDemo({ folder });
    for (const script of ['test', 'lint']) {
      const { status, stdout } = spawnSync('npm', ['run', script], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    }
  });

  it('keeps accounts and state out of the home of the user', () => {
    const demo = makeDemo({ folder });
    const folders = ['AGENTKIT_PROFILES_DIR', 'XDG_STATE_HOME'].map((name) => demo.env[name]!);
    for (const each of folders) assert.ok(each.startsWith(scratch), each);
  });

  it('cannot lie below a file, and can in folders that are not there yet', () => {
    writeFileSync(folder, '');
    const message = `${folder} is not a folder. Choose another with --dir.`;
    assert.throws(() => refuseUsedFolders(path.join(folder, 'a', 'b')), new UsageError(message));
    assert.doesNotThrow(() => refuseUsedFolders(path.join(scratch, 'a', 'b')));
  });

  it('overwrites nothing: each of its folders has to be empty or new', () => {
    for (const name of ['invoices', 'invoices-accounts', 'invoices-lanes']) {
      const used = path.join(scratch, name);
      mkdirSync(used);
      assert.doesNotThrow(() => refuseUsedFolders(folder));
      writeFileSync(path.join(used, 'mine.txt'), 'mine');
      assert.throws(() => makeDemo({ folder }), UsageError);
      assert.ok(!existsSync(path.join(folder, '.git')));
      rmSync(used, { recursive: true });
    }
  });

  it('refuses a file', () => {
    writeFileSync(folder, 'mine');
    assert.throws(() => makeDemo({ folder }), /not a folder/);
  });

  it('is not led astray by the variables of a git hook', () => {
    process.env['GIT_DIR'] = path.join(scratch, 'elsewhere');
    try {
      makeDemo({ folder });
    } finally {
      delete process.env['GIT_DIR'];
    }
    assert.ok(existsSync(path.join(folder, '.git')));
    assert.ok(!existsSync(path.join(scratch, 'elsewhere')));
  });
});
