import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFiles } from '../../../src/engine/store/paths.ts';
import { userFolders } from '../../../src/engine/store/userFolders.ts';
import { poll } from '../process/stepFixture.ts';
import { answerOf } from './akProcess.ts';
import { RunWorld } from './runWorld.ts';

const modes = {
  auto: '--permission-mode=bypassPermissions',
  ask: '--permission-mode=default',
  'read-only': '--permission-mode=plan',
};

describe('the posture of ak run', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(() => world.dispose());

  /** What the CLI was told, and what it inherits for whatever it starts. */
  async function posture(flags: string[], env = {}): Promise<[mode: string | undefined, inherited: string]> {
    world.answer({
      first: 'call.vendorVariables = [process.env.AGENTKIT_PERMISSIONS ?? "unset"];',
    });
    const answer = await world.run(['claude', '@work', ...flags, '--', 'x'], { env });
    assert.equal(answer.exit, 0, answer.error?.message);
    const call = world.prompts().at(-1);
    const mode = Object.entries(modes).find(([, flag]) => call?.args.includes(flag))?.[0];
    return [mode, call?.vendorVariables[0] ?? ''];
  }

  it('is autonomy unless somebody says ask, which then wins and is inherited', async () => {
    assert.deepEqual(await posture([]), ['auto', 'unset']);
    assert.deepEqual(await posture(['--auto']), ['auto', 'unset']);
    assert.deepEqual(await posture(['--ask']), ['ask', 'ask']);
    const said = { AGENTKIT_PERMISSIONS: 'ask' };
    assert.deepEqual(await posture([], said), ['ask', 'ask']);
    assert.deepEqual(await posture(['--auto'], said), ['ask', 'ask']);
    assert.deepEqual(await posture(['--read-only']), ['read-only', 'ask']);
  });

  it('is ask where the settings say so', async () => {
    const folder = join(world.home, '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.yaml'), 'permissions: ask\n', { mode: 0o600 });
    assert.deepEqual(await posture(['--auto']), ['ask', 'ask']);
  });

  it('lets an agent start one writer, more only with the word of the person; readers as many as it likes', async () => {
    world.answer({
      during: `fs.writeFileSync(process.env.CLAUDE_CONFIG_DIR + '/begun', ''); setInterval(() => {}, 1000);`,
    });
    const env = { AGENTKIT_ATTEMPT: 'night/api/1' };
    const first = world.begin(['run', 'claude', '@work', '--json', '--', 'x'], { env });
    await poll(
      'the first writer',
      20_000,
      () => existsSync(join(world.profile('work'), 'begun')) || undefined,
    );
    world.answer({});
    const second = await world.run(['claude', '@other', '--', 'x'], { env });
    assert.deepEqual([second.exit, second.error?.reason], [6, 'refused']);
    assert.match(
      second.error?.message ?? '',
      /one writer is at work already.*ak consent add parallel-writers/,
    );
    assert.equal((await world.run(['claude', '@other', '--read-only', '--', 'x'], { env })).exit, 0);
    assert.equal((await world.run(['claude', '@other', '--', 'x'])).exit, 0, 'a person may');
    const other = { AGENTKIT_ATTEMPT: 'night/ui/1' };
    assert.equal(
      (await world.run(['claude', '@other', '--', 'x'], { env: other })).exit,
      0,
      'another agent may',
    );
    const consents = {
      version: 1,
      consents: [{ name: 'parallel-writers', given_at: '2026-11-30T00:00:00Z' }],
    };
    mkdirSync(join(world.home, '.config', 'agentkit'), { recursive: true });
    writeFileSync(join(world.home, '.config', 'agentkit', 'consent.json'), JSON.stringify(consents), {
      mode: 0o600,
    });
    assert.equal((await world.run(['claude', '@other', '--', 'x'], { env })).exit, 0);
    first.child.kill('SIGTERM');
    assert.equal(answerOf(await first.ended).exit, 5);
  });

  describe('with an agent that has started a writer', () => {
    /** Starts a writer that stays, and gives its id. */
    async function staying(env: Record<string, string>): Promise<string> {
      world.answer({
        during: `fs.writeFileSync(process.env.CLAUDE_CONFIG_DIR + '/begun', ''); setInterval(() => {}, 1000);`,
      });
      world.begin(['run', 'claude', '@work', '--json', '--', 'x'], { env });
      await poll('a writer', 20_000, () => existsSync(join(world.profile('work'), 'begun')) || undefined);
      world.answer({});
      const [id = ''] = readdirSync(stateFiles(userFolders(world.environment).state).runs);
      return id;
    }

    it('refuses one more to that writer too', async () => {
      const env = { AGENTKIT_ATTEMPT: `run/${await staying({ CLAUDE_CODE_SESSION_ID: 'abc' })}` };
      const next = await world.run(['claude', '@other', '--', 'x'], { env });
      assert.deepEqual([next.exit, next.error?.reason], [6, 'refused']);
      assert.match(next.error?.message ?? '', /one writer is at work already/);
      assert.equal((await world.run(['claude', '@other', '--read-only', '--', 'x'], { env })).exit, 0);
    });

    it('allows one to a writer that a person has started', async () => {
      const env = { AGENTKIT_ATTEMPT: `run/${await staying({})}` };
      assert.equal((await world.run(['claude', '@other', '--', 'x'], { env })).exit, 0);
    });
  });
});
