import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AkWorld } from './akWorld.ts';

/** `ak` by itself, and `ak doctor`. */
describe('what is on this machine', function () {
  this.timeout(60_000);
  let world: AkWorld;
  const calls = () => join(world.root, 'calls');
  beforeEach(() => {
    world = new AkWorld(['one']);
    world.standIn(
      'claude',
      `echo "$*" >> "$HOME/../calls"
       [ "$1" = --version ] && { echo '2.1.332 (stand-in)'; exit; }
       echo '{"loggedIn":true,"email":"ada@example.invalid"}'`,
    );
  });
  afterEach(() => world.dispose());

  it('tells which agents are here, without starting one, and what to do next', () => {
    const { code, out } = world.run([]);
    assert.equal(code, 0);
    assert.match(out, /^claude +Claude Code +@default +.*stand-in clis\/claude$/m);
    assert.match(out, /^codex +Codex +not installed +npm install -g @openai\/codex$/m);
    assert.match(out, /^demo +.*@one$/m);
    assert.match(out, /ak doctor[^]*ak profiles add claude @work[^]*ak --help/);
    const kinds = world.answer([], 0)['kinds'] as { kind: string; installed: boolean; profiles: string[] }[];
    const of = (kind: string) => kinds.find((each) => each.kind === kind);
    assert.deepEqual([of('claude')?.installed, of('claude')?.profiles], [true, ['@default']]);
    assert.equal(of('codex')?.installed, false);
    assert.equal(existsSync(calls()), false);
  });

  it('needs a home for that, and says so', () => {
    assert.match(world.failure([], 2, { HOME: '', AGENTKIT_PROFILES_DIR: '' }), /^usage: HOME is not set/);
    const { code, err } = world.run([], { HOME: '', AGENTKIT_PROFILES_DIR: '' });
    assert.deepEqual([code, err.trimEnd().split('\n').length], [2, 1]);
  });

  it('examines it, with the fields of the published ak, and 0 where nothing is wrong', () => {
    const { code, out } = world.run(['doctor']);
    assert.equal(code, 0, out);
    assert.match(out, /Nothing is wrong\.\n$/);
    const told = world.answer(['doctor'], 0);
    const kinds = told['kinds'] as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      ['cli', 'provider', 'installed', 'version', 'logged_in'].map((key) => kinds['claude']?.[key]),
      ['claude', 'anthropic', true, '2.1.332', true],
    );
    assert.deepEqual(
      [told['profiles'], told['keys'], told['permissions'], told['problems']],
      [
        { demo: ['one'], claude: [], codex: [], pi: [], ...otherKinds(told['profiles'] as object) },
        [],
        'auto',
        [],
      ],
    );
    assert.equal(told['repository'], world.repo);
    assert.deepEqual([...new Set(readFileSync(calls(), 'utf8').trim().split('\n'))].sort(), [
      '--version',
      'auth status --json',
    ]);
  });

  it('answers 1 where something is wrong, with what cures it', () => {
    world.git('config', 'core.bare', 'true');
    const more = { ANTHROPIC_API_KEY: 'sk-sesame' };
    const { code, out } = world.run(['doctor'], more);
    assert.equal(code, 1);
    assert.match(out, /Problems: 2\n[^]*unset ANTHROPIC_API_KEY[^]*core\.bare/);
    const { problems } = world.answer(['doctor'], 1, more) as { problems: string[] };
    assert.equal(problems.length, 2);
    assert.doesNotMatch(out + problems.join(), /sesame/);
    assert.match(
      world.run(['doctor'], { HOME: '', AGENTKIT_PROFILES_DIR: '' }).out,
      /HOME is not set.*\n +export HOME/,
    );
  });

  it('refuses what it does not know', () => {
    assert.match(world.failure(['doctor', '--fix'], 2), /unknown option/);
    assert.equal(world.run(['doctor', '--help']).code, 0);
  });

  /** Kinds that later versions know. */
  function otherKinds(profiles: object): object {
    const known = ['demo', 'claude', 'codex', 'pi'];
    return Object.fromEntries(
      Object.keys(profiles).flatMap((kind) => (known.includes(kind) ? [] : [[kind, []]])),
    );
  }
});
