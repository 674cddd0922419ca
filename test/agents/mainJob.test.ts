import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { AgentWorld } from './agentWorld.ts';
import type { ModelAnswer } from './agentStep.ts';

const project = join(import.meta.dirname, '..', '..');

const longNames: ModelAnswer = {
  when: 'Allow longer profile names.',
  say: 'Profile names may have 40 characters now.',
  steps: [
    { replace: { path: 'src/core/accounts/account.ts', find: '{1,32}$/;', with: '{1,40}$/;' } },
    {
      write: {
        path: 'test/unit/core/accounts/longNames.test.ts',
        content: `import assert from 'node:assert/strict';
import { isProfileName } from '../../../../src/core/accounts/account.ts';

describe('long profile names', () => {
  it('have at most 40 characters', () => {
    assert.ok(isProfileName('@' + 'a'.repeat(40)));
    assert.ok(!isProfileName('@' + 'a'.repeat(41)));
  });
});
`,
      },
    },
  ],
};

const longMessages: ModelAnswer = {
  when: 'Keep longer messages of findings.',
  say: 'Messages may have 4000 characters now.',
  steps: [
    {
      replace: {
        path: 'src/core/gates/makeFinding.ts',
        find: 'const maxMessage = 2000;',
        with: 'const maxMessage = 4000;',
      },
    },
    { shell: "sed -i 's/2001/4001/' test/unit/core/gates/matchFindings.test.ts" },
    { shell: 'git commit --quiet --all --message "Keep longer messages"' },
  ],
};

const shortSecrets: ModelAnswer = {
  when: 'Hide shorter secrets too.',
  say: 'Secrets of 5 characters are hidden now.',
  steps: [
    {
      replace: {
        path: 'src/core/safety/redact.ts',
        find: 'const shortestSecret = 6;',
        with: 'const shortestSecret = 5;',
      },
    },
  ],
};

const jobs = [
  { id: 'names', kind: 'claude', ...longNames, paths: ['src/core/accounts', 'test/unit/core/accounts'] },
  { id: 'messages', kind: 'claude', ...longMessages, paths: ['src/core/gates', 'test/unit/core/gates'] },
  { id: 'secrets', kind: 'codex', ...shortSecrets, paths: ['src/core/safety'] },
];

describe('the main job with real agents on this project', function () {
  this.timeout(180_000);
  let world: AgentWorld;
  before(async () => {
    world = new AgentWorld();
    await world.open();
    rmSync(world.repo, { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', project, world.repo]);
    world.git('checkout', '--quiet', '-B', 'main');
    world.git('config', 'user.name', 'Test');
    world.git('config', 'user.email', 'test@example.invalid');
    // Lanes and the merge worktree lie below the same folder and find the dependencies there.
    symlinkSync(join(project, 'node_modules'), join(world.root, 'node_modules'));
    world.account('claude', '@one');
    world.account('claude', '@two');
    world.account('codex', '@three');
    world.server.teach(longNames, longMessages, shortSecrets);
  });
  after(() => world.dispose());

  it('takes three lanes under three accounts through the gate and merges them', async () => {
    const run =
      "node ../../node_modules/mocha/bin/mocha.js --timeout 60s --reporter tap 'test/unit/core/{accounts,gates,safety}/**/*.test.ts'";
    const plan = stringify({
      version: 1,
      name: 'own-checkout',
      gate: [{ name: 'unit', run, timeout: '2m', matcher: '$tap' }],
      jobs: jobs.map(({ id, kind, when, paths }) => ({ id, kind, prompt: when, paths })),
    });
    const kit = await world.kit();
    const started = await kit.startRun({ text: plan });
    const { lanes } = await started.atRest;
    assert.deepEqual(
      lanes.map(({ state }) => state),
      ['ready', 'ready', 'ready'],
      lanes.flatMap(({ why_not }) => why_not).join('\n'),
    );
    assert.deepEqual(lanes.map(({ account }) => account).toSorted(), [
      'claude/@one',
      'claude/@two',
      'codex/@three',
    ]);
    for (const [index, { when }] of jobs.entries()) {
      assert.deepEqual(world.accountsThatSent(when), [lanes[index]?.account]);
    }
    for (const { id } of jobs) {
      const answer = await kit.request(started.run, { do: 'merge', lane: id });
      assert.ok(answer.ok, answer.message);
    }
    assert.match(world.git('show', 'main:src/core/accounts/account.ts'), /\{1,40\}/);
    assert.match(world.git('show', 'main:test/unit/core/accounts/longNames.test.ts'), /at most 40/);
    assert.match(world.git('show', 'main:src/core/gates/makeFinding.ts'), /maxMessage = 4000/);
    assert.match(world.git('show', 'main:src/core/safety/redact.ts'), /shortestSecret = 5/);
    assert.equal(world.git('status', '--porcelain'), '');
  });
});
