import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beginAk } from '../engine/agentRuns/akProcess.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, type TestedKind } from './testedKinds.ts';

/** A model that only the settings of a project name, in the form of each CLI. */
const projectModel = 'claude-sonnet-4-5';
const settings: Record<TestedKind, { file: string; text: string }> = {
  claude: { file: '.claude/settings.json', text: JSON.stringify({ permissions: { allow: ['Bash(ls:*)'] } }) },
  codex: { file: '.codex/config.toml', text: `model = "${projectModel}"\n` },
  pi: { file: '.pi/settings.json', text: JSON.stringify({ defaultModel: projectModel }) },
};

for (const kind of kindNames) {
  describe(`the real ${kind} in a folder that is trusted`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
      world.account(kind, '@one');
      world.account(kind, '@two');
      world.write(settings[kind].file, settings[kind].text);
    });
    after(() => world.dispose());

    const trust = async (account: string, folder: string) => {
      const { kind: driven, profile } = await world.find(kind, account);
      assert.ok(driven.trustFolder);
      await driven.trustFolder(profile, folder);
    };

    /** Whether a run took the settings of the project for its own. */
    const takesSettings = async (account: string, cwd = world.repo): Promise<boolean> => {
      const folder = await world.start({ kind, account, prompt: 'Just say hello.', cwd });
      const result = await world.ended(folder);
      assert.equal(result.outcome, 'succeeded', result.message);
      return kind === 'claude'
        ? !/this workspace has not been trusted/.test(world.transcript(folder))
        : world.server.requests.at(-1)?.model === projectModel;
    };

    it('takes the settings of the project, in that profile and folder alone, and not before', async () => {
      assert.equal(await takesSettings('@one'), false);
      await trust('@one', realpathSync(world.repo));
      assert.equal(await takesSettings('@one'), true);
      assert.equal(await takesSettings('@two'), false);
    });

    it('takes them in the worktree of a lane, and not in the main checkout beside it, or is refused', async () => {
      const lane = join(world.root, 'lane "ü"');
      world.git('add', '--all');
      world.git('commit', '--quiet', '-m', 'settings');
      world.git('worktree', 'add', '--quiet', '-b', 'lane', lane);
      if (kind === 'claude') {
        const whole = new RegExp(`only together with its repository; .* ${world.repo}$`);
        await assert.rejects(trust('@two', lane), { reason: 'refused', message: whole });
        assert.equal(await takesSettings('@two', lane), false);
        await trust('@two', world.repo);
        assert.equal(await takesSettings('@two', lane), true);
        return;
      }
      await trust('@two', lane);
      assert.equal(await takesSettings('@two', lane), true);
      assert.equal(await takesSettings('@two'), false);
    });
  });
}

describe('the real codex outside git', function () {
  this.timeout(60_000);
  let world: AgentWorld;
  before(async () => {
    world = new AgentWorld();
    await world.open();
    world.account('codex', '@one');
  });
  after(() => world.dispose());

  it('works where the person trusts the folder of that run, and in no other run', async () => {
    const cwd = join(world.root, 'outside');
    mkdirSync(cwd);
    const run = (...flags: string[]) => {
      const args = ['run', 'codex', '@one', '--json', '--timeout=40', ...flags, '--', 'Just say hello.'];
      return world.answer(beginAk(args, { cwd, env: world.environment }));
    };
    const refused = await run();
    assert.equal(refused.exit, 1);
    assert.match(refused.error?.message ?? '', /Not inside a trusted directory/);
    const { exit, error, result_text } = await run('--trust-cwd');
    assert.deepEqual([exit, result_text], [0, 'Hello from the model of the test.'], error?.message);
    assert.equal((await run()).exit, 1);
  });
});
