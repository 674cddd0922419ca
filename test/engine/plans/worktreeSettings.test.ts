import assert from 'node:assert/strict';
import type { PlanPreview } from '../../../src/engine/agentKit.ts';
import { readRepositorySettings } from '../../../src/engine/plans/readRepositorySettings.ts';
import { repositoryTrust, trustRepository } from '../../../src/engine/person/repositoryTrust.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('worktree settings of agentkit.yaml', function () {
  this.timeout(20_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld();
  });
  after(() => world.dispose());

  function settle(section: string): void {
    world.write('agentkit.yaml', `version: 1\nworktree:\n${section}`);
    world.git('add', '.');
    world.git('commit', '--quiet', '--allow-empty', '-m', 'settings');
  }

  async function preview(more: object = {}, head: 'ak' | 'editor' = 'ak'): Promise<PlanPreview> {
    const text = world.plan([{ id: 'a', steps: [] }], more);
    return (await world.kit(head)).previewPlan({ text });
  }

  /** What is said of a section. */
  async function told(section: string): Promise<string> {
    settle(section);
    const { whyNot, refusal } = await preview();
    assert.equal(refusal, 'invalid_input');
    return whyNot.join();
  }

  it('are part of the plan with every default, whoever says the gate', async () => {
    settle(
      [
        '  root: ../{repo}-lanes',
        '  copy: [.env, "config/*.local"]',
        '  link: [node_modules]',
        '  setup: [npm ci, npm run build]',
        '  teardown: [docker compose down]',
        '  ports: { PORT: 4100-4199, API_PORT: 5000-5000 }',
        '  setup_timeout: 5m',
        '',
      ].join('\n'),
    );
    assert.deepEqual((await preview({}, 'editor')).plan?.worktree, {
      root: '../{repo}-lanes',
      copy: ['.env', 'config/*.local'],
      link: ['node_modules'],
      setup: ['npm ci', 'npm run build'],
      teardown: ['docker compose down'],
      ports: { PORT: { from: 4100, to: 4199 }, API_PORT: { from: 5000, to: 5000 } },
      setup_timeout: 300,
    });
    settle('  link: []\n');
    const none = { copy: [], link: [], setup: [], teardown: [], ports: {}, setup_timeout: 1200 };
    assert.deepEqual((await preview()).plan?.worktree, none);
  });

  it('are read from the base, not from the checkout, and are nothing where the base has none', async () => {
    settle('  setup: [from-the-base]\n');
    world.git('branch', 'settled');
    settle('  setup: [later]\n');
    world.write('agentkit.yaml', 'version: 1\nworktree: { setup: [not-committed] }\n');
    const { plan } = await preview({ base: 'settled', merge: { into: 'main' } });
    assert.deepEqual(plan?.worktree?.setup, ['from-the-base']);
    world.git('rm', '--quiet', '--force', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'none');
    assert.equal('worktree' in ((await preview()).plan ?? {}), false);
  });

  it('leave what is copied to the caller where they do not say it', async () => {
    const copyOf = async () => {
      const read = await readRepositorySettings(world.repo, 'HEAD', ['.env.local']);
      return [read.worktree?.copy, read.worktree?.setup];
    };
    settle('  setup: [x]\n');
    assert.deepEqual(await copyOf(), [['.env.local'], ['x']]);
    settle('  copy: []\n');
    assert.deepEqual(await copyOf(), [[], []]);
    world.git('rm', '--quiet', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'none');
    assert.deepEqual(await copyOf(), [['.env.local'], []]);
  });

  it('are refused at line and column for what cannot be meant', async () => {
    const wrong: [string, RegExp][] = [
      ['  copy: [../secrets]\n', /agentkit\.yaml:3:10 worktree\.copy\[0\]: "\.\." would leave its folder/],
      ['  copy: [/etc/passwd]\n', /:3:10 worktree\.copy\[0\]: it is absolute/],
      ['  copy:\n    - .env\n    - .git/config\n', /:5:7 worktree\.copy\[1\]: git keeps no file in "\.git"/],
      ['  link: [a/../../b]\n', /:3:10 worktree\.link\[0\]: "\.\." would leave/],
      ['  link: ["*"]\n', /:3:10 worktree\.link\[0\]: name one folder, without wildcards/],
      ['  setup: [""]\n', /:3:11 worktree\.setup\[0\]: write a command/],
      ['  setup: npm ci\n', /:3:10 worktree\.setup: expected array/],
      ['  root: ~/lanes\n', /:3:9 worktree\.root: "~" has no meaning here/],
      ['  ports: { PORT: 4100 }\n', /:3:18 worktree\.ports\.PORT: write a range in words, like 4100-4199/],
      ['  ports: { PORT: 4199-4100 }\n', /:3:18 worktree\.ports\.PORT: the range runs backwards/],
      ['  ports: { PORT: 80-90 }\n', /:3:18 worktree\.ports\.PORT: take ports from 1024 to 65535/],
      ['  ports: { PORT: 4100-99999 }\n', /:3:18 worktree\.ports\.PORT: take ports from 1024/],
      ['  ports: { IS_SANDBOX: 4100-4199 }\n', /:3:12 worktree\.ports\.IS_SANDBOX: name it PORT/],
      ['  ports: { CLAUDE_CODE_SSE_PORT: 4100-4199 }\n', /:3:12 CLAUDE_CODE_SSE_PORT is kept from/],
      ['  setup_timeout: soon\n', /:3:18 worktree\.setup_timeout: write a duration/],
      ['  setups: [x]\n', /:3:3 unknown key "setups"/],
    ];
    for (const [section, expected] of wrong) assert.match(await told(section), expected, section);
  });

  it('cannot be said by a plan', async () => {
    settle('  link: []\n');
    const { whyNot } = await preview({ worktree: { setup: ['rm -rf /'] } });
    assert.match(whyNot.join(), /unknown key "worktree"/);
  });

  it("need the person's word for their commands, also when the gate is the plan's own", async () => {
    const allow = async () => {
      const shown = await repositoryTrust((await world.kit()).repository, 'HEAD', world.environment);
      await trustRepository(shown, world.environment);
    };
    for (const key of ['setup', 'teardown']) {
      settle(`  ${key}: [npm run ${key}]\n`);
      const { whyNot, refusal } = await preview();
      assert.match(whyNot.join(), /commands of agentkit\.yaml.*ak trust add$/, key);
      assert.equal(refusal, 'refused');
      assert.deepEqual((await preview({}, 'editor')).whyNot, []);
      await allow();
      assert.deepEqual((await preview()).whyNot, []);
    }
    settle('  copy: [.env]\n');
    assert.deepEqual((await preview()).whyNot, [], 'without commands there is nothing to allow');
  });
});
