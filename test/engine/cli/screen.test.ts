import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';
import { kill, poll } from '../process/stepFixture.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

/** Stands in for a vendor's screen: tells what it was given, then does what is typed. */
const standIn = `#!${process.execPath}
const [first, second] = process.argv.slice(2);
if (first === '--version') { console.log(process.env.STAND_IN_LOGIN ? '2.1.332 (Claude Code)' : ''); process.exit(); }
if (first === 'auth' && second === 'status') { console.log(process.env.STAND_IN_LOGIN); process.exit(); }
const { writeFileSync } = require('node:fs');
const names = Object.keys(process.env).filter((name) => /^(AGENTKIT_|CLAUDE|CODEX|ANTHROPIC|PI_)/.test(name)).sort();
writeFileSync(process.env.HOME + '/stand-in.pid', String(process.pid));
console.log('stand-in', JSON.stringify({ args: process.argv.slice(2), tty: process.stdin.isTTY && process.stdout.isTTY,
  env: Object.fromEntries(names.map((name) => [name, process.env[name]])), cwd: process.cwd() }));
process.on('SIGINT', () => console.log('stand-in got SIGINT'));
process.on('SIGTERM', () => { console.log('stand-in got SIGTERM'); process.exit(9); });
if (process.env.STAND_IN_STAYS) process.on('SIGHUP', () => {}), setInterval(() => {}, 1000);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'die') process.kill(process.pid, 'SIGKILL');
  if (line.startsWith('exit ')) process.exit(Number(line.slice(5)));
});
`;

/** `ak <kind>` in a real terminal. */
describe("the vendor's own screen", function () {
  this.timeout(60_000);
  let world: DemoWorld;
  const terminals: Terminal[] = [];
  beforeEach(() => {
    world = new DemoWorld(['one']);
    const bin = join(world.root, 'stand-in clis');
    for (const folder of [
      bin,
      world.environment['HOME']!,
      profile('claude'),
      profile('codex'),
      profile('pi'),
    ])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of ['claude', 'codex', 'pi']) {
      writeFileSync(join(bin, name), standIn);
      chmodSync(join(bin, name), 0o755);
    }
    Object.assign(world.environment, { PATH: `${bin}:${process.env['PATH']}`, IS_SANDBOX: '1' });
  });
  afterEach(async () => {
    for (const each of terminals.splice(0)) each.close();
    const pid = standInPid();
    if (pid !== undefined) kill(pid);
    await world.dispose();
  });

  const profile = (kind: string) => join(world.root, 'profiles', kind, 'work');
  const pidFile = () => join(world.environment['HOME']!, 'stand-in.pid');
  const standInPid = () =>
    existsSync(pidFile()) ? Number(readFileSync(pidFile(), 'utf8')) || undefined : undefined;
  const holders = async () => (await listLeases(world)).map(({ account }) => account);

  function open(args: string[], more: NodeJS.ProcessEnv = {}): Terminal {
    const env = { ...world.environment, ...more };
    const terminal = openTerminal([process.execPath, ak, ...args], { cwd: world.repo, env });
    terminals.push(terminal);
    return terminal;
  }

  interface Told {
    args: string[];
    tty: boolean;
    env: Record<string, string>;
    cwd: string;
  }

  async function toldBy(terminal: Terminal): Promise<Told> {
    await terminal.shows(/stand-in \{.*\}/);
    const [, json = ''] = /stand-in (\{.*\})/.exec(terminal.shown()) ?? [];
    return JSON.parse(json) as Told;
  }

  for (const [kind, variable] of [
    ['claude', 'CLAUDE_CONFIG_DIR'],
    ['codex', 'CODEX_HOME'],
    ['pi', 'PI_CODING_AGENT_DIR'],
  ] as const)
    it(`opens that of ${kind} under the account, and hands its exit code on`, async () => {
      const more = { ANTHROPIC_API_KEY: 'secret', AGENTKIT_LANE: 'api' };
      const terminal = open([kind, '@work', '--', '--own', 'a b'], more);
      const told = await toldBy(terminal);
      assert.deepEqual(told.env, {
        AGENTKIT_ACTIVE_ACCOUNT: `${kind}/@work`,
        AGENTKIT_PROFILES_DIR: join(world.root, 'profiles'),
        [variable]: profile(kind),
      });
      assert.deepEqual(told.args.slice(-2), ['--own', 'a b']);
      assert.deepEqual([told.tty, told.cwd], [true, world.repo]);
      assert.match(
        terminal.shown(),
        new RegExp(`${kind}/@work: it acts without asking.*lives with this terminal`),
      );
      assert.deepEqual(await holders(), [`${kind}/@work`]);
      terminal.type('exit 7\n');
      assert.equal((await terminal.ended).code, 7);
      assert.deepEqual(await holders(), []);
    });

  it("takes the CLI's own home, or the person's default, where no profile is named", async () => {
    const own = open(['claude']);
    const { env } = await toldBy(own);
    assert.deepEqual(
      [env['AGENTKIT_ACTIVE_ACCOUNT'], env['CLAUDE_CONFIG_DIR']],
      ['claude/@default', undefined],
    );
    own.type('exit 0\n');
    assert.equal((await own.ended).code, 0);
    for (const said of [{ AGENTKIT_PROFILE: '@work' }, { AGENTKIT_DEFAULT_PROFILE_CLAUDE: 'work' }]) {
      const named = open(['claude'], said);
      assert.equal((await toldBy(named)).env['AGENTKIT_ACTIVE_ACCOUNT'], 'claude/@work');
      named.type('exit 0\n');
      await named.ended;
    }
  });

  it('goes on with a session, with a model, asking', async () => {
    for (const [args, expected] of [
      [
        ['claude', '-c', '--model', 'opus'],
        ['--permission-mode=bypassPermissions', '--model=opus', '--continue'],
      ],
      [
        ['claude', '-r', '@work'],
        ['--permission-mode=bypassPermissions', '--resume'],
      ],
      [
        ['claude', '@work', '-r', 'last'],
        ['--permission-mode=bypassPermissions', '--resume=last'],
      ],
      [['claude', '--ask'], ['--permission-mode=default']],
    ] as const) {
      const terminal = open([...args]);
      const told = await toldBy(terminal);
      assert.deepEqual(told.args.sort(), [...expected].sort());
      assert.equal(told.env['AGENTKIT_PERMISSIONS'], args.includes('--ask' as never) ? 'ask' : undefined);
      terminal.type('exit 0\n');
      await terminal.ended;
    }
    const asked = open(['claude', '--auto'], { AGENTKIT_PERMISSIONS: 'ask' });
    const told = await toldBy(asked);
    assert.deepEqual([told.args, told.env['AGENTKIT_PERMISSIONS']], [['--permission-mode=default'], 'ask']);
  });

  it('refuses arguments that would undo ask, and hands others on', async () => {
    const env = { AGENTKIT_PERMISSIONS: 'ask' };
    const refused = await open(['claude', '--', '--dangerously-skip-permissions'], env).ended;
    assert.equal(refused.code, 6, refused.shown);
    assert.match(refused.shown, /--dangerously-skip-permissions would let it act without asking/);
    assert.equal(standInPid(), undefined);
    const asked = open(['claude', '--', '--verbose'], env);
    assert.deepEqual((await toldBy(asked)).args, ['--permission-mode=default', '--verbose']);
    asked.type('exit 0\n');
    await asked.ended;
  });

  it('leaves Ctrl+C to the screen, and outlives it no more than it does', async () => {
    const terminal = open(['claude', '@work']);
    await toldBy(terminal);
    for (let times = 1; times <= 3; times++) {
      terminal.type('\u0003');
      await terminal.shows(new RegExp(`(stand-in got SIGINT[^]*){${times}}`));
    }
    terminal.type('exit 3\n');
    assert.equal((await terminal.ended).code, 3);
  });

  it('hands SIGTERM on, and tells of an end by a signal as a shell does', async () => {
    const ended = open(['claude', '@work']);
    await toldBy(ended);
    const [lease] = await listLeases(world);
    // The lease lives with the screen itself; its parent is ak.
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${lease?.process?.pid}/status`, 'utf8'))?.[1];
    process.kill(Number(parent), 'SIGTERM');
    assert.equal((await ended.ended).code, 9);
    assert.match(ended.shown(), /stand-in got SIGTERM/);
    const killed = open(['claude', '@work']);
    await toldBy(killed);
    killed.type('die\n');
    assert.equal((await killed.ended).code, 137);
    assert.deepEqual(await holders(), []);
  });

  it('holds the account as long as it lives: refuses a second one, says who has it, and allows another', async () => {
    const first = open(['claude', '@work']);
    await toldBy(first);
    const second = open(['claude', '@work']);
    const { code, shown } = await second.ended;
    assert.equal(code, 1, shown);
    assert.match(shown, /claude\/@work is in use by terminal\/\d+ since 20/);
    const other = open(['claude']);
    await toldBy(other);
    other.type('exit 0\n');
    assert.equal((await other.ended).code, 0);
  });

  it('lapses with the screen where ak is killed, not before', async () => {
    const terminal = open(['claude', '@work'], { STAND_IN_STAYS: '1' });
    await toldBy(terminal);
    const pid = standInPid()!;
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    await poll(
      'the lease of the screen',
      5000,
      async () => (await listLeases(world))[0]?.process?.pid === pid || undefined,
    );
    process.kill(Number(parent), 'SIGKILL');
    await wait(50);
    assert.deepEqual(await holders(), ['claude/@work']);
    kill(pid);
    await poll('the end of the lease', 10_000, async () => (await holders()).length === 0 || undefined);
  });

  it('ends a screen that would stay behind when its terminal is closed', async () => {
    const terminal = open(['claude', '@work'], { STAND_IN_STAYS: '1' });
    await toldBy(terminal);
    terminal.close();
    await poll('the end of the screen', 20_000, async () => (await holders()).length === 0 || undefined);
  });

  it('says in one line why it does not start, with the exit code of the contract', () => {
    const run = (args: string[], more: NodeJS.ProcessEnv = {}) => {
      const env = { ...world.environment, ...more };
      const ended = spawnSync(process.execPath, [ak, ...args], { cwd: world.repo, env, encoding: 'utf8' });
      return { code: ended.status, err: ended.stderr + ended.stdout };
    };
    for (const [args, code, message] of [
      [
        ['claude', '@work'],
        2,
        /no terminal for the screen of Claude Code; without one: ak run claude -- PROMPT/,
      ],
      [['demo', '@one'], 2, /no screen of its own; run it with: ak run demo/],
      [['claude', 'work'], 2, /What is "work"\?/],
      [['claude', '@work', 'more'], 2, /What is "more"\?/],
      [['claude', '-c', '-r', 'x'], 2, /-c and -r contradict/],
      [['nonsense'], 2, /unknown command 'nonsense'/],
      [['claude', '--json'], 2, /unknown option '--json'/],
    ] as const) {
      const { code: found, err } = run([...args]);
      assert.equal(found, code, err);
      assert.match(err, message);
    }
    const help = spawnSync(process.execPath, [ak, 'claude', '--help'], {
      env: world.environment,
      encoding: 'utf8',
    });
    assert.equal(help.status, 0);
    assert.match(help.stdout, /lives with this terminal/);
  });

  it('does so in a terminal too', async () => {
    for (const [args, code, message, more] of [
      [['claude', '@gone'], 3, /no account claude\/@gone; make it with: ak profiles add claude @gone/, {}],
      [['claude', '@../x'], 2, /"@\.\.\/x" is no name of a profile/, {}],
      [['claude', '--ask', '--auto'], 2, /--ask and --auto contradict/, {}],
      [['claude'], 3, /no account claude\/@default|Claude Code is not installed/, { PATH: '/usr/bin:/bin' }],
      [['claude', '@work'], 3, /Claude Code is not installed.*npm install/, { PATH: '/usr/bin:/bin' }],
      [['claude', '@work'], 2, /HOME is not set/, { HOME: '' }],
    ] as const) {
      const ended = await open([...args], more).ended;
      assert.equal(ended.code, code, ended.shown);
      assert.match(ended.shown, message);
    }
  });

  it('is that of the account, of which it makes sure, and never that of an excluded login', async () => {
    const login = (email: string | null) => ({
      STAND_IN_LOGIN: JSON.stringify({ loggedIn: email !== null, authMethod: 'claude.ai', email }),
    });
    const close = async (terminal: Terminal) => {
      await toldBy(terminal);
      terminal.type('exit 0\n');
      assert.equal((await terminal.ended).code, 0);
    };
    await close(open(['claude', '@work'], login('me@example.com')));
    const other = await open(['claude', '@work'], login('you@example.com')).ended;
    assert.equal(other.code, 6, other.shown);
    assert.match(other.shown, /claude\/@work is logged in as somebody else/);
    await close(open(['claude', '@work'], login(null)));
    const held = open(['claude', '@work'], login('me@example.com'));
    await toldBy(held);
    const twin = await open(['claude', '@default'], login('me@example.com')).ended;
    assert.deepEqual([twin.code, /in use under another profile of its login/.test(twin.shown)], [1, true]);
    assert.deepEqual(await holders(), ['claude/@work']);
    held.type('exit 0\n');
    await held.ended;
    const folder = join(world.environment['HOME']!, '.config', 'agentkit');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const settings = 'accounts: { claude/@work: { exclude: true } }\n';
    writeFileSync(join(folder, 'settings.yaml'), settings, { mode: 0o600 });
    for (const name of ['@work', '@default']) {
      const excluded = await open(['claude', name], login('me@example.com')).ended;
      assert.equal(excluded.code, 6, excluded.shown);
      assert.match(excluded.shown, /excluded by your settings/);
    }
    await close(open(['codex', '@work']));
  });
});
