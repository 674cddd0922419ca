import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { openTerminal } from './terminal.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

/** `ak consent` and `ak trust`: what only the person may say. */
describe("the person's word", function () {
  this.timeout(60_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
    mkdirSync(world.environment['HOME']!);
  });
  afterEach(() => world.dispose());

  function run(
    args: string[],
    more: NodeJS.ProcessEnv = {},
  ): { code: number | null; out: string; err: string } {
    const env = { ...world.environment, ...more };
    const ended = spawnSync(process.execPath, [ak, ...args], { cwd: world.repo, env, encoding: 'utf8' });
    return { code: ended.status, out: ended.stdout, err: ended.stderr };
  }

  /** Answer of a call with --json, which must be the only thing on stdout. */
  function answer(args: string[], code: number, more?: NodeJS.ProcessEnv): Record<string, unknown> {
    const ended = run([...args, '--json'], more);
    assert.equal(ended.code, code, ended.err + ended.out);
    assert.equal(ended.out.trimEnd().split('\n').length, 1, ended.out);
    return JSON.parse(ended.out) as Record<string, unknown>;
  }
  const messageOf = (value: Record<string, unknown>) => (value['error'] as { message: string }).message;
  const terminal = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    openTerminal([process.execPath, ak, ...args], {
      cwd: world.repo,
      env: { ...world.environment, ...more },
    });
  const namesOf = (value: Record<string, unknown>) =>
    (value['consents'] as { name: string }[]).map(({ name }) => name);
  const statusesOf = (value: Record<string, unknown>) =>
    (value['repositories'] as { status: string }[]).map(({ status }) => status);

  describe('ak consent', () => {
    it('asks in a terminal, keeps a yes, and takes it back', async () => {
      const asked = terminal(['consent', 'add', 'parallel-writers']);
      await asked.shows(/Do you consent\? \[y\/N\]/);
      asked.type('y\n');
      assert.equal((await asked.ended).code, 0);
      assert.deepEqual(namesOf(answer(['consent', 'ls'], 0)), ['parallel-writers']);
      assert.match(run(['consent']).out, /^parallel-writers {2}since 20/);
      assert.deepEqual(namesOf(answer(['consent', 'rm', 'parallel-writers'], 0)), []);
      assert.match(messageOf(answer(['consent', 'rm', 'parallel-writers'], 3)), /ak consent ls/);
    });

    it('takes anything else for a no, and Ctrl+C for its end', async () => {
      for (const [keys, code] of [
        ['\n', 1],
        ['nope\n', 1],
        ['\u0004', 1],
        ['\u0003', 5],
      ] as const) {
        const asked = terminal(['consent', 'add', 'continue:claude']);
        await asked.shows(/\[y\/N\]/);
        asked.type(keys);
        const ended = await asked.ended;
        assert.equal(ended.code, code, JSON.stringify(keys) + ended.shown);
      }
      assert.deepEqual(namesOf(answer(['consent'], 0)), []);
    });

    it('refuses without a terminal, whatever is piped in, and inside an agent even in one', async () => {
      const { code, err } = run(['consent', 'add', 'parallel-writers']);
      assert.equal(code, 6);
      assert.match(err, /^ak: Only you can give a consent.*: ak consent add parallel-writers\n$/);
      assert.match(messageOf(answer(['consent', 'add', 'parallel-writers'], 6)), /no terminal/);
      const asked = terminal(['consent', 'add', 'parallel-writers'], { CLAUDECODE: '1' });
      const ended = await asked.ended;
      assert.equal(ended.code, 6);
      assert.match(ended.shown, /belongs to a coding agent \(CLAUDECODE is set\)/);
      assert.equal(run(['consent', 'add', 'parallel-writers', '--yes']).code, 2);
      assert.deepEqual(namesOf(answer(['consent'], 0)), []);
    });

    it('lets an agent start a plan with several writers, which is refused without it, whatever the flags', async () => {
      const plan = join(world.repo, 'plan.yaml');
      const jobs = ['a', 'b'].map((id) => ({ id, steps: [], kind: 'claude' }));
      writeFileSync(plan, world.plan(jobs));
      const agent = { CLAUDECODE: '1' };
      const start = (code: number) => messageOf(answer(['orchestrate', 'start', plan, '--yes'], code, agent));
      assert.match(start(6), /belongs to a coding agent.*ak consent add parallel-writers/);
      const asked = terminal(['consent', 'add', 'parallel-writers']);
      await asked.shows(/\[y\/N\]/);
      asked.type('yes\n');
      assert.equal((await asked.ended).code, 0);
      // What is in the way now is that this world has no such account.
      assert.doesNotMatch(start(1), /coding agent/);
    });

    it('answers 2 to a name that is none and to a missing home', () => {
      assert.match(
        messageOf(answer(['consent', 'add', 'all'], 2)),
        /there are parallel-writers, continue:claude/,
      );
      assert.match(messageOf(answer(['consent', 'add', 'continue:demo'], 2)), /nothing to consent to/);
      assert.match(messageOf(answer(['consent'], 2, { HOME: '' })), /HOME is not set/);
      assert.match(run(['consent', '--help']).out, /continue:KIND/);
    });
  });

  describe('ak trust', () => {
    const settle = (command: string) => {
      world.write('agentkit.yaml', `version: 1\ngate:\n  - { name: own, run: ${command} }\n`);
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', command);
    };

    it('shows what it allows, asks in a terminal, and asks again with the difference', async () => {
      settle('sh check.sh');
      assert.deepEqual(statusesOf(answer(['trust', 'ls', '.'], 1)), ['untrusted']);
      for (const [reply, code] of [
        ['n\n', 1],
        ['y\n', 0],
      ] as const) {
        const asked = terminal(['trust', 'add']);
        await asked.shows(/run: sh check\.sh[\s\S]*May they run on this machine\? \[y\/N\]/);
        asked.type(reply);
        assert.equal((await asked.ended).code, code);
      }
      assert.deepEqual(statusesOf(answer(['trust', 'ls', '.'], 0)), ['trusted']);
      settle('"true"');
      assert.deepEqual(statusesOf(answer(['trust'], 0)), ['changed']);
      const { code, err } = run(['trust', 'add']);
      assert.equal(code, 6);
      assert.match(
        err,
        /What changed:\n- +run: sh check\.sh\n\+ +run: "true"\n.*no terminal.*ak trust add --yes/,
      );
      assert.deepEqual(statusesOf(answer(['trust', 'add', '--yes'], 0)), ['trusted']);
      answer(['trust', 'rm'], 0);
      assert.match(messageOf(answer(['trust', 'rm'], 3)), /ak trust ls/);
    });

    it('is refused inside an agent, with --yes too, where taking it back is allowed', () => {
      settle('sh check.sh');
      const agent = { AGENTKIT_LANE: 'api' };
      assert.match(messageOf(answer(['trust', 'add', '--yes'], 6, agent)), /AGENTKIT_LANE is set/);
      answer(['trust', 'add', '--yes'], 0);
      answer(['trust', 'rm'], 0, agent);
      assert.deepEqual(statusesOf(answer(['trust'], 0)), []);
    });

    it('tells of what cannot be read, and forgets a repository that is gone', () => {
      settle('[');
      assert.match(messageOf(answer(['trust', 'add', '--yes'], 2)), /^agentkit\.yaml:\d+:\d+ /);
      settle('sh check.sh');
      answer(['trust', 'add', '--yes'], 0);
      assert.equal(run(['trust', 'ls', world.root]).code, 3);
      assert.equal(run(['trust', 'add', join(world.root, 'nowhere')]).code, 3);
      rmSync(join(world.repo, '.git'), { recursive: true });
      const [entry] = answer(['trust'], 0)['repositories'] as { status: string; reason: string }[];
      assert.equal(entry?.status, 'unreadable');
      answer(['trust', 'rm', world.repo], 0);
      assert.deepEqual(statusesOf(answer(['trust'], 0)), []);
    });

    it('is not asked for what no plan would take, and tells its place', () => {
      const settings = (text: string) => {
        world.write('agentkit.yaml', text);
        world.git('add', '.');
        world.git('commit', '--quiet', '-m', 'settings');
      };
      for (const [text, place] of [
        ['version: 1\nworktree:\n  setup: npm ci\n', /^agentkit\.yaml:3:10 worktree\.setup: /],
        ['version: 2\ngate:\n  - { name: own, run: "true" }\n', /^agentkit\.yaml:1:10 version: /],
        ['version: 1\nkinds: { my: { run: my, result: text } }\n', /^agentkit\.yaml:2:21 kinds\.my\.run: /],
      ] as const) {
        settings(text);
        assert.match(messageOf(answer(['trust', 'add', '--yes'], 2)), place);
        assert.match(messageOf(answer(['trust', 'ls', '.'], 2)), place);
      }
      assert.deepEqual(statusesOf(answer(['trust'], 0)), []);
      settings('version: 1\nworktree:\n  setup: [npm ci]\n');
      assert.deepEqual(statusesOf(answer(['trust', 'add', '--yes'], 0)), ['trusted']);
    });

    it('is needed for a start in a shell whose gate is that of agentkit.yaml', () => {
      settle('sh check.sh');
      const plan = join(world.repo, 'plan.yaml');
      writeFileSync(plan, world.plan([{ id: 'a', steps: [writes('a.txt')] }], { gate: undefined }));
      assert.match(messageOf(answer(['orchestrate', 'start', plan, '--yes'], 6)), /ak trust add/);
      assert.equal(existsSync(join(world.repo, '.git', 'agentkit', 'runs')), false);
      answer(['trust', 'add', '--yes'], 0);
      const started = answer(['orchestrate', 'start', plan, '--yes'], 0);
      assert.deepEqual((started['lanes'] as { state: string }[])[0]?.state, 'ready');
    });
  });
});
