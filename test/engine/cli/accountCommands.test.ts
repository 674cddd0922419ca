import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AkWorld } from './akWorld.ts';
import { openTerminal } from './terminal.ts';

/** The commands about accounts that need no repository, as a shell sees them. */
describe('ak and accounts', function () {
  this.timeout(60_000);
  let world: AkWorld;
  beforeEach(() => {
    world = new AkWorld(['one', 'two']);
  });
  afterEach(() => world.dispose());

  const profiles = (kind: string, name = '') => join(world.root, 'profiles', kind, name);

  describe('ak env', () => {
    it('prints lines that a shell takes as they are', () => {
      mkdirSync(profiles('claude', 'work'), { recursive: true, mode: 0o700 });
      const { code, out } = world.run(['env', 'claude', '@work']);
      assert.equal(code, 0);
      const told = execFileSync('sh', ['-c', `set -a; ${out}\nset +a; printenv CLAUDE_CONFIG_DIR`], {
        encoding: 'utf8',
      });
      assert.equal(told, `${profiles('claude', 'work')}\n`);
      assert.deepEqual(world.answer(['env', 'claude', '@work'], 0)['env'], {
        CLAUDE_CONFIG_DIR: profiles('claude', 'work'),
      });
    });

    it("prints nothing for the CLI's own home, takes the person's default, and names what wins over it", () => {
      world.standIn('claude', 'exit 1');
      assert.deepEqual(world.run(['env', 'claude']), { code: 0, out: '', err: '' });
      mkdirSync(profiles('claude', 'work'), { recursive: true, mode: 0o700 });
      const usual = world.answer(['env', 'claude'], 0, { AGENTKIT_PROFILE: '@work' });
      assert.equal(usual['profile'], '@work');
      const { out, err } = world.run(['env', 'claude', '@work'], { ANTHROPIC_API_KEY: 'sk-sesame' });
      assert.match(err, /These win over the account: unset ANTHROPIC_API_KEY/);
      assert.doesNotMatch(out + err, /sesame/);
    });

    it('refuses what is no kind, no name, or not there', () => {
      assert.match(world.failure(['env', 'nobody'], 3), /^not_found: There is no kind "nobody"/);
      assert.match(world.failure(['env', 'demo', '@../x'], 2), /^invalid_input: "@\.\.\/x" is no name/);
      assert.match(world.failure(['env', 'demo', '@gone'], 3), /ak profiles add demo @gone/);
      assert.match(world.failure(['env', 'demo', '@one'], 2, { HOME: '' }), /HOME is not set/);
    });
  });

  describe('ak profiles', () => {
    it('lists them, and what is not used with the reason', () => {
      symlinkSync(world.root, profiles('demo', 'link'));
      mkdirSync(profiles('demo', 'open'));
      chmodSync(profiles('demo', 'open'), 0o777);
      const told = world.answer(['profiles'], 0);
      assert.deepEqual(
        (told['profiles'] as { profile: string }[]).map(({ profile }) => profile),
        ['@one', '@two'],
      );
      const problems = told['problems'] as { profile: string; problem: string }[];
      assert.deepEqual(
        problems.map(({ profile }) => profile),
        ['@link', '@open'],
      );
      assert.match(
        world.run(['profiles', 'ls']).out,
        /^Not used: .*link is a link[^]*^Not used: .*chmod o-w/m,
      );
    });

    it('deletes one only with --yes or a yes at a terminal, and says what that means', async () => {
      const { code, err } = world.run(['profiles', 'rm', 'demo', '@one']);
      assert.equal(code, 6);
      assert.match(err, /^ak: This deletes .*demo\/one: the login.*ak profiles rm demo @one --yes\n$/);
      for (const [keys, exit, left] of [
        ['n\n', 1, true],
        ['y\n', 0, false],
      ] as const) {
        const asked = openTerminal(world.argv('profiles', 'rm', 'demo', '@one'), {
          cwd: world.repo,
          env: world.env(),
        });
        await asked.shows(/Delete it\? \[y\/N\]/);
        asked.type(keys);
        assert.equal((await asked.ended).code, exit);
        assert.equal(existsSync(profiles('demo', 'one')), left);
      }
      assert.equal(world.answer(['profiles', 'rm', 'demo', '@two', '--yes'], 0)['removed'], true);
      assert.equal(existsSync(profiles('demo', 'two')), false);
    });

    it('leaves it to the person to add and to delete one, not to an agent of theirs', () => {
      const agent = { CLAUDE_CODE_SESSION_ID: 's' };
      const refused = (...args: string[]) => world.failure(['profiles', ...args], 6, agent);
      assert.match(refused('rm', 'demo', '@one', '--yes'), /only you can delete a login/);
      assert.match(refused('add', 'demo', '@new'), /only you can add an account/);
      assert.deepEqual(
        [existsSync(profiles('demo', 'one')), existsSync(profiles('demo', 'new'))],
        [true, false],
      );
      assert.equal(
        world.answer(['profiles', 'path', 'demo', '@one'], 0, agent)['path'],
        profiles('demo', 'one'),
      );
      world.answer(['profiles', 'add', 'demo', '@new'], 0);
      world.answer(['profiles', 'rm', 'demo', '@one', '--yes'], 0);
      assert.deepEqual(
        [existsSync(profiles('demo', 'one')), existsSync(profiles('demo', 'new'))],
        [false, true],
      );
    });

    it('tells at a new one how to log in, on standard error alone', () => {
      world.standIn('claude', 'exit 1');
      const { code, out, err } = world.run(['profiles', 'add', 'claude', '@work']);
      const folder = profiles('claude', 'work');
      assert.deepEqual([code, out], [0, `${folder}\n`]);
      assert.equal(
        err,
        `Now log in, in a terminal: CLAUDE_CONFIG_DIR='${folder.replaceAll("'", `'\\''`)}' '${world.bin.replaceAll("'", `'\\''`)}/claude' auth login\n`,
      );
      assert.equal(world.run(['profiles', 'add', 'demo', '@new']).err, 'It is ready: ak run demo @new\n');
      assert.equal(world.run(['profiles', 'add', 'demo', '@newer', '--json']).err, '');
    });

    it("deletes neither the CLI's own home, nor what a link leads to, nor an account in use", () => {
      world.standIn('claude', 'exit 1');
      assert.match(world.failure(['profiles', 'rm', 'claude', '@default', '--yes'], 6), /CLI's own home/);
      symlinkSync(world.root, profiles('demo', 'link'));
      assert.match(world.failure(['profiles', 'rm', 'demo', '@link', '--yes'], 6), /is a link/);
      assert.match(
        world.failure(['profiles', 'rm', 'demo', '@../demo/one', '--yes'], 2),
        /no name of a profile/,
      );
      assert.match(world.failure(['profiles', 'rm', 'demo', '@gone', '--yes'], 3), /no account demo\/@gone/);
      world.answer(['lease', 'add', 'demo/@one', '--owner', 'me', '--ttl', '60'], 0);
      assert.match(world.failure(['profiles', 'rm', 'demo', '@one', '--yes'], 6), /in use by me/);
      assert.equal(existsSync(profiles('demo', 'one')), true);
    });
  });

  describe('ak lease', () => {
    it('refuses an owner without a name, and two ways to live at once', () => {
      const add = ['lease', 'add', 'demo/@one', '--owner'];
      assert.match(world.failure([...add, ''], 2), /^usage: .*must not be empty/);
      const both = world.failure([...add, 'me', '--ttl', '60', '--pid', String(process.pid)], 2);
      assert.match(both, /^usage: --ttl and --pid contradict/);
      assert.deepEqual(world.answer(['lease', 'ls'], 0)['leases'], []);
      world.answer([...add, 'me', '--pid', String(process.pid)], 0);
    });

    it('takes an account, which is then not picked, tells who has it, and gives it back', () => {
      const taken = world.answer(['lease', 'add', 'demo/@one', '--owner', 'me', '--ttl', '60'], 0);
      assert.deepEqual([taken['account'], taken['owner'], taken['ttl_s']], ['demo/@one', 'me', 60]);
      assert.match(world.run(['lease']).out, /^\w+ +demo\/@one +writes +me +since .* for 60 s$/m);
      const chosen = world.answer(['pick', 'demo', '--count', '2'], 0)['chosen'] as { profile: string }[];
      assert.deepEqual(
        chosen.map(({ profile }) => profile),
        ['@two'],
      );
      const again = world.failure(['lease', 'add', 'demo/@one', '--owner', 'you', '--ttl', '60'], 1);
      assert.match(again, /^conflict: demo\/@one is in use/);
      world.answer(['lease', 'release', String(taken['id'])], 0);
      assert.deepEqual(world.answer(['lease', 'ls'], 0)['leases'], []);
      world.answer(['lease', 'add', 'demo/@one', '--owner', 'you', '--ttl', '60'], 0);
    });

    it('lives with the process that calls, or the one that is named', () => {
      // This test calls, and lives.
      world.answer(['lease', 'add', 'demo/@one', '--owner', 'me'], 0);
      const argv = world
        .argv('lease', 'add', 'demo/@two', '--owner', 'shell')
        .map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      execFileSync('sh', ['-c', `${argv.join(' ')}; :`], { env: world.env() });
      const accounts = (world.answer(['lease'], 0)['leases'] as { account: string }[]).map(
        ({ account }) => account,
      );
      assert.deepEqual(accounts, ['demo/@one']);
      const pid = ['--pid', String(process.pid)];
      world.answer(['lease', 'add', 'demo/@two', '--owner', 'other', ...pid], 0);
      assert.equal((world.answer(['lease'], 0)['leases'] as unknown[]).length, 2);
    });

    it('refuses what is no account, no process and no lease', () => {
      assert.match(world.failure(['lease', 'add', 'demo', '--owner', 'me'], 2), /write it as kind\/@profile/);
      assert.match(world.failure(['lease', 'add', 'demo/@../x', '--owner', 'me'], 2), /is not an account/);
      assert.match(
        world.failure(['lease', 'add', 'demo/@gone', '--owner', 'me'], 3),
        /no account demo\/@gone/,
      );
      assert.match(world.failure(['lease', 'add', 'nobody/@one', '--owner', 'me'], 3), /no kind "nobody"/);
      assert.match(
        world.failure(['lease', 'add', 'demo/@one', '--owner', 'me', '--pid', '4194303'], 3),
        /no process 4194303/,
      );
      assert.match(
        world.failure(['lease', 'add', 'demo/@one', '--owner', 'me', '--ttl', '0'], 2),
        /at least 1/,
      );
      assert.match(world.failure(['lease', 'add', 'demo/@one'], 2), /--owner/);
      assert.match(world.failure(['lease', 'release', 'ffff'], 3), /no lease ffff; there are none/);
    });
  });

  describe('ak pick --lease', () => {
    const profilesOf = (value: Record<string, unknown>) =>
      (value['chosen'] as { profile: string }[]).map(({ profile }) => profile);

    it('chooses and takes in one step, as many as there are, for a process or a time', () => {
      world.setUsage('two', 5);
      const first = world.answer(['pick', 'demo', '--lease', 'me', '--ttl', '60'], 0);
      assert.deepEqual(profilesOf(first), ['@two']);
      assert.deepEqual((first['leases'] as { owner: string }[])[0]?.owner, 'me');
      assert.deepEqual(profilesOf(world.answer(['pick', 'demo', '--count', '2', '--lease', 'you'], 0)), [
        '@one',
      ]);
      const none = world.answer(['pick', 'demo', '--lease', 'they', '--ttl', '60'], 1);
      assert.deepEqual([profilesOf(none), none['leases']], [[], []]);
      assert.equal((world.answer(['lease'], 0)['leases'] as unknown[]).length, 2);
    });

    it('gives an account to one of several who ask at once', async () => {
      const ask = async (owner: string) => {
        const [command = '', ...args] = world.argv('pick', 'demo', '--lease', owner, '--ttl', '60', '--json');
        const { stdout } = await promisify(execFile)(command, args, { env: world.env() });
        return profilesOf(JSON.parse(stdout) as Record<string, unknown>);
      };
      const [one, other] = await Promise.all([ask('one'), ask('other')]);
      assert.deepEqual([...one, ...other].sort(), ['@one', '@two']);
    });

    it('tells in words what was chosen, and why nothing was', () => {
      assert.match(world.run(['pick', 'demo']).out, /^demo\/@one {2}80 % free of 5h, resets /);
      for (const name of ['one', 'two']) world.setUsage(name, 100);
      const { code, out } = world.run(['pick', 'demo']);
      assert.equal(code, 1);
      assert.match(out, /^No account qualifies\.\ndemo\/@one: .*\ndemo\/@two: .*\nSoonest reset: /);
      assert.match(world.run(['pick', '--help']).out, /\.chosen\[0\]\.profile[^]*Exit codes: 0 chosen/);
    });

    it('refuses what cannot be meant', () => {
      for (const [args, message] of [
        [['--ttl', '60'], /add --lease OWNER/],
        [['--lease', ' '], /name of an owner/],
        [['--reserve', '101'], /percentage from 0 to 100/],
        [['--need', '5h:101'], /Write --need like 5h:30/],
        [['--need', '5h:'], /Write --need like 5h:30/],
      ] as const)
        assert.match(world.failure(['pick', 'demo', ...args], 2), message);
      assert.match(world.failure(['pick', 'nobody', '--lease', 'me'], 3), /no kind "nobody"/);
      assert.match(
        world.failure(['pick', 'demo', '--lease', 'me', '--pid', '4194303'], 3),
        /no process 4194303/,
      );
      assert.equal(world.answer(['pick', 'claude', '--lease', 'me', '--ttl', '9'], 3)['schema'], 'pick-v1');
    });
  });

  describe('ak capacity', () => {
    it('judges what was last read, with the exit code of the answer', () => {
      world.setUsage('one', 20);
      world.setUsage('two', 80);
      const verdicts = (args: string[], code: number, more?: NodeJS.ProcessEnv) =>
        (
          world.answer(['capacity', ...args], code, more)['accounts'] as {
            profile: string;
            verdict: string;
          }[]
        ).map(({ profile, verdict }) => `${profile} ${verdict}`);
      assert.deepEqual(verdicts(['demo'], 1), ['@one ok', '@two low']);
      assert.deepEqual(verdicts(['demo', '@one'], 0), ['@one ok']);
      assert.deepEqual(verdicts(['@two', '--low', '10', '--critical', '5'], 0), ['@two ok']);
      assert.deepEqual(verdicts(['--self'], 1, { AGENTKIT_ACTIVE_ACCOUNT: 'demo/@two' }), ['@two low']);
      assert.match(world.run(['capacity', 'demo']).out, /^demo\/@two +low +20 % free of 5h +resets /m);
    });

    it('refuses limits that are none, and what matches nothing', () => {
      assert.match(world.failure(['capacity', '--low', '101'], 2), /percentage from 0 to 100/);
      assert.match(
        world.failure(['capacity', '--low', '5', '--critical', '50'], 2),
        /critical not above low/,
      );
      assert.match(world.failure(['capacity', '--self'], 2), /AGENTKIT_ACTIVE_ACCOUNT/);
      assert.match(world.failure(['capacity', 'nobody'], 3), /no kind "nobody"/);
      assert.match(world.failure(['capacity', 'claude'], 3), /no such account/);
    });
  });

  describe('ak usage', () => {
    it('tells each window with its reset in the words of here, and in UTC with --json', () => {
      const { out } = world.run(['usage', 'demo'], { TZ: 'Asia/Tokyo', LC_ALL: 'de_DE.UTF-8' });
      const [{ windows }] = world.answer(['usage', 'demo'], 0)['accounts'] as [
        { windows: { resets_at: string }[] },
      ];
      const reset = new Date(windows[0]?.resets_at ?? '');
      assert.match(windows[0]?.resets_at ?? '', /Z$/);
      const there = new Intl.DateTimeFormat('de-DE', { timeZone: 'Asia/Tokyo', hour: '2-digit' })
        .format(reset)
        .slice(0, 2);
      assert.match(out, new RegExp(`^demo/@one +ok +demo +5.* +80 % free +resets .*\\b${there}:\\d\\d`, 'm'));
    });

    it('answers 3 for a kind that is none or has no account, and 0 where there is none at all', () => {
      assert.match(world.failure(['usage', 'nobody'], 3), /no kind "nobody"/);
      assert.deepEqual(world.answer(['usage', 'claude'], 3)['accounts'], []);
      const empty = { AGENTKIT_PROFILES_DIR: join(world.root, 'none') };
      assert.match(world.run(['usage'], empty).out, /no accounts yet. Add one: ak profiles add claude @work/);
      assert.match(world.run(['usage', '--help']).out, /Exit codes: 0 done/);
      assert.match(world.failure(['usage', '--max-age', 'old'], 2), /whole number/);
    });
  });
});
