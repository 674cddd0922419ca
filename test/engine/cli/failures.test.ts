import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

describe('ak in a world that does not let it', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld();
  });
  after(() => world.dispose());

  function run(
    args: string[],
    more: NodeJS.ProcessEnv = {},
  ): { code: number | null; out: string; err: string } {
    const env = { ...world.environment, ...more };
    const ended = spawnSync(process.execPath, [ak, ...args], { cwd: world.repo, env, encoding: 'utf8' });
    return { code: ended.status, out: ended.stdout, err: ended.stderr };
  }

  it('answers 2 to a folder where a plan is meant', () => {
    const { code, err } = run(['plan', 'check', '.']);
    assert.equal(code, 2, err);
    assert.match(err, /^ak: .*repo is a folder/);
  });

  it('names what it cannot use, in one line, and it is no bug', () => {
    writeFileSync(join(world.root, 'file'), '');
    const { code, err } = run(['usage', 'demo'], { XDG_STATE_HOME: join(world.root, 'file', 'below') });
    assert.equal(code, 2, err);
    assert.match(
      err,
      /^ak: Cannot mkdir .*file\/below.*: a part of its path is not a folder \(ENOTDIR\)\.\n$/,
    );
    assert.equal(run(['usage', 'demo']).code, 0);
  });

  for (const args of [['--help'], ['--version', '--json'], ['usage', 'demo', '--json']])
    it(`says in one line that its answer does not fit: ${args.join(' ')}`, () => {
      const full = openSync('/dev/full', 'w');
      try {
        const { status, stderr } = spawnSync(process.execPath, [ak, ...args], {
          ...{ cwd: world.repo, env: world.environment, encoding: 'utf8' },
          stdio: ['ignore', full, 'pipe'],
        });
        assert.equal(status, 1);
        assert.match(stderr, /^ak: Cannot write standard output: there is no space left .*\(ENOSPC\)\.\n$/);
      } finally {
        closeSync(full);
      }
      const { code, err } = run(args);
      assert.equal(code, 0, err);
    });

  it('knows no help for what is no command', () => {
    assert.match(
      run(['help', 'bogus', '--json']).out,
      /"reason":"usage","message":"There is no command \\"bogus\\"/,
    );
    assert.equal(run(['help', 'bogus']).code, 2);
    for (const known of ['pick', 'claude']) assert.equal(run(['help', known]).code, 0, known);
  });

  it('tells of a bug in one line, and keeps its stack for the owner of the machine alone', () => {
    const state = join(world.root, 'bug-state');
    const session = pathToFileURL(join(import.meta.dirname, '../../../src/cli/session.ts')).href;
    const program = `import { Session } from ${JSON.stringify(session)};
      process.exitCode = await new Session('/nowhere').fail(new TypeError('x is undefined'));`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...world.environment, XDG_STATE_HOME: state },
      encoding: 'utf8',
    });
    assert.equal(ended.status, 70);
    const said = ended.stderr;
    const file = /^ak: x is undefined This is a bug of ak; its log is (.*)\.\n$/.exec(said)?.[1] ?? said;
    assert.ok(file.startsWith(join(state, 'agentkit', 'logs')), said);
    assert.match(readFileSync(file, 'utf8'), /TypeError: x is undefined\n +at /);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('gives its version and its help as one object too', () => {
    for (const args of [
      ['--version', '--json'],
      ['--help', '--json'],
      ['lane', '--help', '--json'],
    ]) {
      const { code, out } = run(args);
      assert.equal(code, 0);
      assert.equal((JSON.parse(out) as { interface: number }).interface, 1, out);
    }
    assert.match(run(['--version', '--json']).out, /"schema":"version-v1","version":"\d+\.\d+\.\d+/);
    assert.match(run(['--version']).out, /^\d+\.\d+\.\d+\S*\n$/);
  });

  it('has every key of its JSON in one spelling', () => {
    const plan = join(world.repo, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'job', steps: [writes('job.txt')] }]));
    const checked = run(['plan', 'check', plan, '--json']).out;
    assert.equal(run(['orchestrate', 'start', plan, '--yes']).code, 0);
    const merge = run(['lane', 'merge', 'job', '--dry-run', '--json']).out;
    for (const out of [checked, merge]) {
      assert.match(out, /"why_not":\[\]/);
      assert.doesNotMatch(out, /"[a-z]+[A-Z]\w*":/);
    }
    assert.match(checked, /"gate_source":"plan"/);
  });

  it('prints no control characters of file names, windows and reasons', () => {
    const hostile = '\u001b[2J\u009b31m\u0007';
    world.setUsage('one', 5, { windows: [{ id: `weekly:${hostile}`, used_pct: 5, resets_in_s: 60 }] });
    const plan = join(world.repo, 'plan.yaml');
    const steps = [writes(`odd${hostile}\nmerged.txt`)];
    writeFileSync(plan, world.plan([{ id: 'odd', steps, paths: ['odd.txt'] }]));
    const started = run(['orchestrate', 'start', plan, '--yes']);
    assert.equal(started.code, 1, started.err);
    const shown = [
      started,
      ...[['usage'], ['lane', 'ls'], ['lane', 'show', 'odd'], ['lane', 'diff', 'odd']].map((args) =>
        run(args),
      ),
    ];
    for (const { out, err } of shown)
      assert.doesNotMatch(out + err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, out + err);
    assert.match(
      shown.map(({ out }) => out).join(''),
      /^It wrote outside its paths \(odd\.txt\): odd�\[2J�31m��merged\.txt\.$/m,
    );
  });
});
