import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempRepository } from '../git/tempRepository.ts';
import { DoctorWorld, told } from './doctorWorld.ts';

describe('examine', function () {
  this.timeout(30_000);
  let world: DoctorWorld;
  beforeEach(() => {
    world = new DoctorWorld();
  });
  afterEach(() => world.dispose());

  it('finds nothing wrong with a healthy machine, nor with an empty one', async () => {
    assert.deepEqual(await world.problems(), []);
    world.claude();
    world.profile('claude', 'work', 'ada@example.invalid');
    const report = await world.examine();
    assert.deepEqual(told(report, 'problem'), []);
    assert.deepEqual([report.node, report.permissions, report.repository], ['24.1.0', 'auto', null]);
    assert.deepEqual(
      report.accounts.map(({ account, login }) => [account, login]),
      [
        ['claude/@default', 'not_logged_in'],
        ['claude/@work', 'ok'],
      ],
    );
    assert.deepEqual(report.kinds['claude']?.version, '2.1.332');
    assert.equal(report.kinds['claude']?.path, join(world.bin, 'claude'));
    assert.match(told(report, 'note').join('\n'), /^claude\/@default: it is not logged in/m);
  });

  it('asks CLIs only for their version and login, in an empty folder', async () => {
    world.claude();
    world.profile('claude', 'work');
    await world.examine();
    assert.deepEqual([...new Set(world.calls())].sort(), ['0 --version', '0 auth status --json']);
  });

  it('tells which account is not logged in, and how to log in', async () => {
    world.claude();
    const folder = world.profile('claude', 'work');
    const problems = await world.problems();
    assert.equal(problems.length, 2);
    assert.match(problems[1] ?? '', /^claude\/@work: .*CLAUDE_CONFIG_DIR='.*work' claude auth login$/);
    world.profile('claude', 'other', 'bob@example.invalid');
    assert.match((await world.problems()).join('\n'), /^claude\/@work: .*auth login$/);
    writeFileSync(join(folder, 'login'), 'ada@example.invalid');
    assert.deepEqual(await world.problems(), []);
  });

  it('counts two profiles of one login as one account, and shows no identity', async () => {
    world.claude();
    world.profile('claude', 'a', 'ada@example.invalid');
    world.profile('claude', 'b', 'bob@example.invalid');
    assert.deepEqual(await world.problems(), []);
    world.profile('claude', 'c', 'ada@example.invalid');
    const report = await world.examine();
    assert.deepEqual(told(report, 'problem'), [
      'claude/@a and claude/@c are one login, so they count as one account: ak profiles rm claude @c',
    ]);
    assert.doesNotMatch(JSON.stringify(report.findings), /example\.invalid/);
  });

  it('notes a version that was not measured', async () => {
    world.claude('9.0.0');
    world.profile('claude', 'work', 'ada');
    const notes = told(await world.examine(), 'note').join('\n');
    assert.match(
      notes,
      /Claude Code 9\.0\.0 is here; .*2\.1\.332: npm install -g @anthropic-ai\/claude-code@2\.1\.332/,
    );
  });

  for (const [what, script] of [
    ['garbage', 'head -c 300000 /dev/urandom'],
    ['nothing', 'exit 0'],
    ['an endless stream', 'yes garbage'],
  ] as const)
    it(`tells of a CLI that prints ${what}, and goes on`, async () => {
      world.standIn('claude', script);
      world.profile('claude', 'work');
      const report = await world.examine();
      assert.match(
        told(report, 'problem').join('\n'),
        /claude\/@default: .*does not tell a version.*npm install/,
      );
      assert.equal(report.kinds['claude']?.version, null);
      assert.deepEqual(world.calls(), ['0 --version']);
    });

  it('misses a CLI only where it has accounts', async () => {
    world.profile('codex', 'work');
    assert.deepEqual(await world.problems(), [
      'Codex is not installed, and has accounts (codex/@work): npm install -g @openai/codex',
    ]);
    assert.match(told(await world.examine(), 'note').join('\n'), /Claude Code is not installed: npm install/);
  });

  it('says that agents of root cannot work without asking, once, unless that is allowed', async function () {
    if (process.getuid?.() !== 0) this.skip();
    world.claude();
    world.profile('claude', 'a', 'ada');
    world.profile('claude', 'b', 'bob');
    const { IS_SANDBOX: _, ...environment } = world.environment;
    const problems = await world.problems({ environment });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /as root.*export IS_SANDBOX=1/);
    assert.deepEqual(
      await world.problems({ environment: { ...environment, AGENTKIT_PERMISSIONS: 'ask' } }),
      [],
    );
    assert.deepEqual(await world.problems(), []);
  });

  it('names variables that win over a login, and keys, but no value', async () => {
    world.claude();
    world.profile('claude', 'work', 'ada');
    const environment = {
      ...world.environment,
      ANTHROPIC_API_KEY: 'sk-sesame',
      OPENAI_API_KEY_WORK: 'sk-open',
      GEMINI_API_KEY: '',
    };
    const report = await world.examine({ environment });
    assert.deepEqual(report.keys, ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY_WORK']);
    assert.match(
      told(report, 'problem').join('\n'),
      /^ANTHROPIC_API_KEY wins over .*: unset ANTHROPIC_API_KEY$/,
    );
    assert.doesNotMatch(JSON.stringify(report), /sesame|sk-open/);
  });

  it('tells of Node and git that are too old or missing', async () => {
    assert.match(
      (await world.problems({ nodeVersion: '20.20.2' })).join(),
      /^Node 20\.20\.2 is too old.*nodejs\.org/,
    );
    assert.deepEqual(await world.problems({ nodeVersion: '22.13.0' }), []);
    const { PATH } = process.env;
    try {
      world.standIn('git', 'echo git version 2.30.2');
      process.env['PATH'] = world.environment['PATH'];
      assert.match(
        (await world.problems()).join(),
        /^git 2\.30\.2 is too old; AgentKit needs 2\.38 or newer/,
      );
      process.env['PATH'] = '/nowhere';
      const report = await world.examine();
      assert.match(told(report, 'problem').join(), /git was not found on PATH/);
      assert.equal(report.git, null);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('tells of a home that is not set', async () => {
    const environment = { PATH: world.environment['PATH'] };
    assert.match((await world.problems({ environment })).join(), /^HOME is not set.*: export HOME=/);
    const moved = { ...world.environment, AGENTKIT_PROFILES_DIR: 'here' };
    assert.match((await world.problems({ environment: moved })).join(), /: unset AGENTKIT_PROFILES_DIR$/);
  });

  it('tells of folders that others can read or write, each with its cure', async () => {
    const profile = world.profile('demo', 'one');
    const state = join(world.home, '.local', 'state', 'agentkit');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const config = world.write('.config/agentkit/env', '');
    const kinds = join(profile, '..');
    const wrong: [string, number, number][] = [
      [profile, 0o750, 0o700],
      [kinds, 0o770, 0o700],
      [state, 0o777, 0o755],
      [config, 0o620, 0o600],
      [join(config, '..'), 0o777, 0o755],
    ];
    for (const [path, bad, good] of wrong) {
      chmodSync(path, bad);
      const problems = await world.problems();
      assert.equal(problems.length, 1, problems.join('\n'));
      const [, cure = ''] = /: (chmod .*)$/.exec(problems[0] ?? '') ?? [];
      execFileSync('sh', ['-c', cure]);
      assert.deepEqual(await world.problems(), [], cure);
      chmodSync(path, good);
    }
    assert.deepEqual(await world.problems(), []);
  });

  it('tells of a profile that is a link, and of what belongs to somebody else', async () => {
    const folder = world.profile('demo', 'one');
    symlinkSync(world.root, join(folder, '..', 'two'));
    assert.match((await world.problems()).join(), /two is a link, so it is no profile.*: rm '/);
    const problems = await world.problems({ userId: 4711 });
    assert.match(problems.join('\n'), /one belongs to another user: sudo chown/);
  });

  it('tells file and line of settings that cannot be read', async () => {
    world.write('.config/agentkit/settings.yaml', 'permissions: sometimes\naccounts:\n  claude: {}\n');
    world.write('.config/agentkit/env', 'AGENTKIT_PERMISSIONS=ask\nwhat is this\n');
    world.write('.config/agentkit/consent.json', '{');
    const report = await world.examine();
    const problems = told(report, 'problem').join('\n');
    assert.match(problems, /settings\.yaml:1:14 .*: \$\{EDITOR:-vi\} '.*settings\.yaml'/);
    assert.match(problems, /consent\.json is damaged.*mv /);
    assert.equal(report.permissions, 'ask');
    world.write('.config/agentkit/settings.yaml', 'kinds:\n  claude: { run: [x], result: text }\n');
    world.write('.config/agentkit/env', '');
    assert.match((await world.problems()).join('\n'), /settings\.yaml:2:11 .*"claude" is here already/);
    world.write('.config/agentkit/env', 'AGENTKIT_PERMISSIONS=ask\nwhat is this\n');
    world.write('.config/agentkit/settings.yaml', '');
    assert.match((await world.problems()).join('\n'), /\/env:2:1 is not KEY=value: /);
    world.write('.config/agentkit/env', 'AGENTKIT_PERMISSIONS=ask\n');
    world.write('.config/agentkit/consent.json', '{"version":1,"consents":[]}');
    assert.deepEqual(await world.problems(), []);
    const moved = join(world.root, 'moved profiles');
    world.write('.config/agentkit/env', `AGENTKIT_PROFILES_DIR="${moved}"\n`);
    mkdirSync(join(moved, 'demo', 'one'), { recursive: true, mode: 0o700 });
    chmodSync(join(moved, 'demo', 'one'), 0o755);
    assert.match(
      (await world.problems()).join(),
      /moved profiles\/demo\/one holds a login and is open to others/,
    );
    world.write('.config/agentkit/env', '');
    const environment = { ...world.environment, AGENTKIT_PERMISSIONS: 'maybe' };
    assert.match((await world.problems({ environment })).join(), /say ask or auto/);
  });

  it('tells of leases that cannot be read, and counts those that lapsed', async () => {
    const file = world.write('.local/state/agentkit/leases.json', '{');
    assert.match((await world.problems()).join(), /leases\.json is not valid JSON.*: rm '/);
    const gone = { pid: 1, started: '0', boot: 'another' };
    const kept = { id: 'ab12', mode: 'write', holder: null, taken_at: '2026-01-01T00:00:00Z' };
    const lease = { ...kept, account: 'demo/@one', owner: 'run/a', process: gone };
    writeFileSync(file, JSON.stringify({ version: 1, leases: [lease] }));
    const report = await world.examine();
    assert.deepEqual(told(report, 'problem'), []);
    assert.match(told(report, 'note').join('\n'), /^Leases of agents that have ended: 1;/m);
  });

  it('tells where Codex cannot shut in its agents', async () => {
    world.standIn('codex', '[ "$1" = --version ] && echo "codex-cli 0.171.0"; exit 0');
    const system = join(world.root, 'sys');
    for (const folder of ['kernel', 'user']) mkdirSync(join(system, folder), { recursive: true });
    const file = join(system, 'kernel', 'unprivileged_userns_clone');
    writeFileSync(file, '0\n');
    const ofCodex = async (userId: number) =>
      (await world.problems({ system, userId })).filter((each) => each.includes('Codex cannot'));
    assert.match((await ofCodex(1000)).join(), /unprivileged_userns_clone is 0\): sudo sysctl -w kernel\./);
    assert.deepEqual(await ofCodex(0), []);
    writeFileSync(file, '1\n');
    assert.deepEqual(await ofCodex(1000), []);
  });

  it('tells of a repository whose shared settings were flipped, and of a healthy one', async () => {
    const repository = tempRepository();
    try {
      const report = await world.examine({ folder: repository.root });
      assert.deepEqual([report.repository, told(report, 'problem')], [repository.root, []]);
      repository.git(['config', 'core.bare', 'true']);
      assert.match(
        (await world.problems({ folder: repository.root })).join(),
        /core\.bare.*git config --file/,
      );
      repository.git(['config', 'core.bare', 'false']);
      assert.deepEqual(await world.problems({ folder: repository.root }), []);
      const run = join(repository.root, '.git', 'agentkit', 'runs', 'later');
      mkdirSync(run, { recursive: true });
      writeFileSync(join(run, 'journal.jsonl'), '{"seq":1,"type":"quantum.leap"}\n');
      assert.match(
        (await world.problems({ folder: repository.root })).join(),
        /A run cannot be read\. .*journal\.jsonl:1 .*newer AgentKit/,
      );
      rmSync(run, { recursive: true });
      assert.deepEqual(await world.problems({ folder: repository.root }), []);
    } finally {
      repository.remove();
    }
  });
});
