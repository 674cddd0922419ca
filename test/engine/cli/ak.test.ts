import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpOfAk } from '../../../src/cli/createProgram.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

/** The built `ak` as a shell sees it: exit codes, one JSON object on stdout, text for people on stderr. */
describe('ak', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld(['one', 'two']);
  });
  after(() => world.dispose());

  function run(args: string[], cwd = world.repo): { code: number | null; out: string; err: string } {
    const env = world.environment as NodeJS.ProcessEnv;
    const ended = spawnSync(process.execPath, [ak, ...args], { cwd, env, encoding: 'utf8' });
    return { code: ended.status, out: ended.stdout, err: ended.stderr };
  }

  /** Answer of a call with --json, which must be the only thing on stdout. */
  function answer(args: string[], code: number, cwd?: string): Record<string, unknown> {
    const ended = run([...args, '--json'], cwd);
    assert.equal(ended.code, code, ended.err + ended.out);
    assert.equal(ended.out.trimEnd().split('\n').length, 1);
    const value = JSON.parse(ended.out) as Record<string, unknown>;
    assert.equal(value['interface'], 1);
    return value;
  }

  const errorOf = (value: Record<string, unknown>) => value['error'] as { reason: string; message: string };

  it('teaches with --help, and refuses unknown words with 2', () => {
    const help = run(['--help']);
    assert.equal(help.code, 0);
    for (const command of ['usage', 'pick', 'plan', 'orchestrate', 'lane'])
      assert.match(help.out, new RegExp(command));
    assert.equal(run(['nonsense']).code, 2);
    assert.equal(errorOf(answer(['nonsense'], 2)).reason, 'usage');
  });

  it('has the help of its own program in its bundle, whichever way it is asked for', () => {
    for (const args of [['--help'], ['-h'], ['help']]) assert.equal(run(args).out, helpOfAk());
    assert.equal(answer(['--help'], 0)['text'], helpOfAk());
    assert.match(run(['help', 'pick']).out, /^Usage: ak pick .*--exclude/s);
    assert.equal(run(['help', 'pick']).out, run(['pick', '--help']).out);
    assert.equal(run(['--help', '--nonsense']).code, 0);
    assert.equal(run(['--nonsense']).code, 2);
  });

  it('picks the account with most room, as many as asked, and never an excluded one', () => {
    world.setUsage('two', 5);
    const profiles = (value: Record<string, unknown>) =>
      (value['chosen'] as { profile: string }[]).map(({ profile }) => profile);
    assert.deepEqual(profiles(answer(['pick', 'demo'], 0)), ['@two']);
    assert.deepEqual(profiles(answer(['pick', 'demo', '--count', '2'], 0)), ['@two', '@one']);
    assert.deepEqual(profiles(answer(['pick', 'demo', '--exclude', '@two'], 0)), ['@one']);
    assert.equal(answer(['pick', 'demo', '--exclude', '@one', '--exclude', '@two'], 1)['schema'], 'pick-v1');
  });

  it('needs no repository for accounts, and says what a repository is needed for', () => {
    assert.equal((answer(['usage', 'demo'], 0, world.root)['accounts'] as unknown[]).length, 2);
    assert.match(errorOf(answer(['lane', 'ls'], 3, world.root)).message, /not in a git repository/);
  });

  it('answers 3 for an unknown kind and for a kind without accounts', () => {
    assert.equal(errorOf(answer(['pick', 'nobody'], 3)).reason, 'not_found');
    for (const count of ['many', '0'])
      assert.equal(errorOf(answer(['pick', 'demo', '--count', count], 2)).reason, 'usage');
    const strange = errorOf(answer(['pick', 'demo', '--exclude', '@nope'], 3));
    assert.match(strange.message, /no account @nope to exclude; there are demo\/@one, demo\/@two/);
  });

  it('answers 2 to a plan that names what is not there, with positions, and 6 to a taken branch', () => {
    const plan = join(world.repo, 'plan.yaml');
    const jobs = [{ id: 'job', steps: [writes('job.txt')] }];
    writeFileSync(plan, world.plan(jobs, { base: 'nope' }));
    assert.match(JSON.stringify(answer(['plan', 'check', plan], 2)['problems']), /"line":\d+/);
    const { reason, message } = errorOf(answer(['orchestrate', 'start', plan, '--yes'], 2));
    assert.equal(reason, 'invalid_input');
    assert.match(message, /plan\.yaml:\d+:\d+ There is no branch, tag or commit "nope"/);
    writeFileSync(plan, world.plan(jobs));
    world.git('branch', 'lane/job');
    answer(['plan', 'check', plan], 1);
    assert.equal(errorOf(answer(['orchestrate', 'start', plan, '--yes'], 6)).reason, 'refused');
    world.git('branch', '-D', 'lane/job');
    answer(['plan', 'check', plan], 0);
  });

  it('makes profiles for their owner alone, and refuses a name that is a path', () => {
    const made = answer(['profiles', 'add', 'demo', '@third'], 0);
    assert.match(String(made['path']), /profiles\/demo\/third$/);
    assert.equal(errorOf(answer(['profiles', 'add', 'demo', '@../up'], 2)).reason, 'invalid_input');
    assert.equal(answer(['profiles', 'path', 'demo', '@third'], 0)['path'], made['path']);
    assert.equal(answer(['profiles', 'path', 'demo', '@fourth'], 3)['schema'], 'error-v1');
  });

  it('checks a plan with positions, and starts only with a word of approval', () => {
    const plan = join(world.repo, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'job', steps: [], paths: ['../out'] }]));
    const checked = answer(['plan', 'check', plan], 2);
    assert.match(JSON.stringify(checked['problems']), /"line":\d+/);
    assert.equal(errorOf(answer(['orchestrate', 'start', plan, '--yes'], 2)).reason, 'invalid_input');
    const both = ['a', 'b'].map((id) => ({ id, steps: [], paths: ['src/**'] }));
    writeFileSync(plan, world.plan(both));
    assert.match(
      JSON.stringify(answer(['plan', 'check', plan], 2)['overlaps']),
      /"glob_a":"src\/\*\*".*"line":\d+/,
    );
    writeFileSync(plan, world.plan([{ id: 'job', steps: [writes('job.txt')] }]));
    assert.equal(answer(['plan', 'check', plan], 0)['schema'], 'plan-check-v1');
    assert.match(errorOf(answer(['orchestrate', 'start', plan], 6)).message, /sh check\.sh[\s\S]*--yes/);
    assert.deepEqual(answer(['lane', 'ls'], 0)['lanes'], []);
  });

  it('conducts a run, tells the same truth afterwards, and merges', () => {
    const plan = join(world.repo, 'plan.yaml');
    const jobs = [
      { id: 'good', steps: [writes('good.txt')] },
      { id: 'bad', steps: [writes('bad.txt', 'BROKEN\n')] },
    ];
    writeFileSync(plan, world.plan(jobs));
    const started = answer(['orchestrate', 'start', plan, '--yes'], 1);
    const states = (value: Record<string, unknown>) =>
      (value['lanes'] as { lane: string; state: string }[]).map(({ lane, state }) => `${lane} ${state}`);
    assert.deepEqual(states(started), ['good ready', 'bad failed']);
    assert.deepEqual(states(answer(['orchestrate', 'status', String(started['run'])], 0)), states(started));
    assert.deepEqual(states(answer(['lane', 'ls'], 0)), states(started));
    assert.equal(answer(['lane', 'show', 'good'], 0)['mergeable'], true);
    assert.equal(errorOf(answer(['lane', 'show', 'none'], 3)).reason, 'not_found');
    assert.deepEqual(answer(['lane', 'diff', 'good'], 0)['files'], [{ path: 'good.txt', status: 'added' }]);

    assert.equal(answer(['lane', 'merge', 'bad'], 1)['merged'], false);
    const dry = answer(['lane', 'merge', 'good', '--dry-run'], 0);
    assert.equal(dry['merged'], false);
    assert.equal(world.git('rev-parse', 'main'), dry['from']);
    assert.equal(answer(['lane', 'merge', 'good'], 0)['merged'], true);
    assert.equal(world.git('show', 'main:good.txt'), 'good.txt');

    const attached = run(['lane', 'attach', 'good']);
    assert.equal(attached.code, 0);
    assert.match(attached.out, /good\.txt/);
    assert.match(run(['orchestrate', 'report', String(started['run'])]).out, /## good: merged/);
  });

  it('shows what an agent prints as text: its escape sequences never reach the terminal', () => {
    const plan = join(world.repo, 'hostile.yaml');
    const steps = [{ say: 'before \u001b]0;owned\u0007\u001b[2J after' }, writes('said.txt')];
    writeFileSync(plan, world.plan([{ id: 'hostile', steps, paths: ['said.txt'] }]));
    answer(['orchestrate', 'start', plan, '--yes'], 0);
    const { out } = run(['lane', 'attach', 'hostile']);
    assert.match(out, /before .*owned.* after/);
    assert.doesNotMatch(out, /[\u0007\u001b]/);
  });

  it('gives the prompt to the agent by standard input, never in an argument list', () => {
    const plan = join(world.repo, 'quiet.yaml');
    const job = {
      id: 'quiet',
      steps: [writes('quiet.txt')],
      prompt: 'Do what SECRET-WORDS-OF-A-PROMPT say.',
      paths: ['notes'],
    };
    writeFileSync(plan, world.plan([job]));
    const started = answer(['orchestrate', 'start', plan, '--yes'], 0);
    const step = join(String(started['folder']), 'lanes', 'quiet', 'attempt-1');
    assert.doesNotMatch(readFileSync(join(step, 'launch.json'), 'utf8'), /SECRET-WORDS/);
    assert.match(readFileSync(join(step, 'prompt.md'), 'utf8'), /SECRET-WORDS/);
    assert.equal(statSync(join(step, 'prompt.md')).mode & 0o777, 0o600);
  });

  it('has the agents of a run ask where the start or the resuming says so, and shows it before', () => {
    const plan = join(world.repo, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'careful', steps: [writes('careful.txt', 'BROKEN\n')] }]));
    assert.deepEqual(answer(['plan', 'check', plan], 0)['asked_by'], []);
    assert.doesNotMatch(run(['plan', 'check', plan]).out, /Agents ask/);
    const { message } = errorOf(answer(['orchestrate', 'start', plan, '--ask'], 6));
    assert.match(message, /^Agents ask \(said by --ask\)$/m);
    const inherits = (started: Record<string, unknown>, attempt: number) => {
      const step = join(String(started['folder']), 'lanes', 'careful', `attempt-${attempt}`, 'launch.json');
      return /"AGENTKIT_PERMISSIONS":\s*"ask"/.test(readFileSync(step, 'utf8'));
    };
    const free = answer(['orchestrate', 'start', plan, '--yes'], 1);
    assert.equal(inherits(free, 1), false);
    answer(['orchestrate', 'resume', String(free['run']), '--ask'], 1);
    answer(['lane', 'retry', 'careful'], 1);
    assert.equal(inherits(free, 2), true);
    writeFileSync(plan, world.plan([{ id: 'other', steps: [writes('other.txt')] }], { permissions: 'ask' }));
    assert.match(run(['plan', 'check', plan]).out, /^Agents ask \(said by permissions in the plan\)$/m);
  });
});
