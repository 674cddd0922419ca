import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { DemoWorld } from './demoWorld.ts';

const project = join(import.meta.dirname, '..', '..', '..');

/** Steps of a change to this project that its own tests judge. */
const profileLimit = [
  { say: 'Letting profile names have 40 characters' },
  { replace: { path: 'src/core/accounts/account.ts', find: '{1,32}', with: '{1,40}' } },
  {
    replace: { path: 'src/core/accounts/account.ts', find: '`@` and 1 to 32 of', with: '`@` and 1 to 40 of' },
  },
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
];

const brokenDuration = [
  { say: 'Making durations shorter, and getting them wrong' },
  { replace: { path: 'src/core/plan/plan.ts', find: 'm: 60, h: 3600', with: 'm: 6, h: 3600' } },
];

describe('this project as the repository', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  before(() => {
    world = new DemoWorld();
    rmSync(world.repo, { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', project, world.repo]);
    world.git('checkout', '--quiet', '-B', 'main');
    world.git('config', 'user.name', 'Test');
    world.git('config', 'user.email', 'test@example.invalid');
    // Lanes and the merge worktree lie below the same folder and find the dependencies there.
    symlinkSync(join(project, 'node_modules'), join(world.root, 'node_modules'));
  });
  after(() => world.dispose());

  it("takes two real changes through the project's own unit tests: the good one is merged, the bad one is found", async () => {
    const mocha =
      "node ../../node_modules/mocha/bin/mocha.js --reporter tap 'test/unit/core/{plan,accounts}/**/*.test.ts'";
    const kit = await world.kit();
    const prompt = (words: string, steps: unknown[]) => `${words}\n\n\`\`\`demo\n${stringify(steps)}\`\`\`\n`;
    const plan = stringify({
      version: 1,
      name: 'own-checkout',
      gate: [{ name: 'unit', run: mocha, timeout: '2m', matcher: '$tap' }],
      jobs: [
        {
          id: 'names',
          kind: 'demo',
          prompt: prompt('Allow longer profile names.', profileLimit),
          paths: ['src/core/accounts', 'test/unit/core/accounts'],
        },
        {
          id: 'durations',
          kind: 'demo',
          prompt: prompt('Shorten durations.', brokenDuration),
          paths: ['src/core/plan'],
        },
      ],
    });
    const { run, atRest } = await kit.startRun({ text: plan });
    const { lanes } = await atRest;
    const [names, durations] = lanes;
    assert.equal(names?.state, 'ready', names?.why_not.join());
    assert.equal(durations?.state, 'failed');
    const findings = durations.gate.checks.flatMap(({ findings: found }) => found);
    assert.ok(
      findings.length > 0 &&
        findings.every(({ file, line }) => file?.startsWith('test/unit/core/plan/') && line > 0),
      JSON.stringify(findings),
    );
    const answer = await kit.request(run, { do: 'merge', lane: 'names' });
    assert.ok(answer.ok, answer.message);
    assert.match(world.git('show', 'main:src/core/accounts/account.ts'), /\{1,40\}/);
    assert.doesNotMatch(world.git('show', 'main:src/core/plan/plan.ts'), /m: 6,/);
  });
});
