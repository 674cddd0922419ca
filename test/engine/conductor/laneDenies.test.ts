import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentKit, type AgentKit } from '../../../src/engine/agentKit.ts';
import { quoteForShell } from '../../../src/engine/agents/quoteForShell.ts';
import { DemoWorld, writes } from './demoWorld.ts';

const mine = { STRIPE_KEY: 'one', MY_TOOL_HOME: 'two', DATABASE_URL: 'three', MISTRAL_API_KEY: 'four' };

/** Variables of the person's own that agents and gates of lanes get, and which of them they withhold. */
describe('what a lane gets of the environment', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kit: AgentKit | undefined;

  beforeEach(() => {
    world = new DemoWorld(['one']);
    Object.assign(world.environment, mine);
  });
  afterEach(async () => {
    await kit?.dispose();
    kit = undefined;
    await world.dispose();
  });

  function settings(text: string): void {
    const folder = join(world.environment['HOME'] ?? '', '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.yaml'), text, { mode: 0o600 });
  }

  /** What the gate of a lane saw of our variables, and what the agent's and the gate's launches withheld of them. */
  async function lane(denies?: () => string[]): Promise<{ seen: string[]; withheld: string[][] }> {
    const { repo: folder, dist, environment } = world;
    const options = { folder, head: 'editor', node: process.execPath, dist, environment } as const;
    kit = await createAgentKit({ ...options, ...(denies && { denies }) });
    const seen = join(world.root, 'seen');
    const names = Object.keys(mine);
    const print = names.map((name) => `echo ${name}=$${name}`).join('; ');
    const gate = [{ name: 'env', run: `{ ${print}; } > ${quoteForShell(seen)}` }];
    const text = world.plan([{ id: 'job', steps: [writes('job.txt')] }], { gate });
    const { run, atRest } = await kit.startRun({ text });
    const [done] = (await atRest).lanes;
    assert.equal(done?.gate.status, 'passed', JSON.stringify(done?.why_not));
    const { folder: runFolder } = await kit.readRun(run);
    const launch = (step: string) =>
      JSON.parse(readFileSync(join(runFolder, 'lanes', 'job', step, 'launch.json'), 'utf8')) as {
        withheld: string[];
      };
    return {
      seen: readFileSync(seen, 'utf8')
        .split('\n')
        .filter((line) => /=./.test(line))
        .map((line) => line.replace(/=.*/, '')),
      withheld: ['attempt-1', 'gate-1/env'].map((step) =>
        launch(step).withheld.filter((name) => names.includes(name)),
      ),
    };
  }

  it('is all but the keys of vendors where nothing is said', async () => {
    const { seen, withheld } = await lane();
    assert.deepEqual(seen, ['STRIPE_KEY', 'MY_TOOL_HOME', 'DATABASE_URL']);
    assert.deepEqual(withheld, [['MISTRAL_API_KEY'], ['MISTRAL_API_KEY']]);
  });

  it('is without what the person denies, in the settings and in those of the head', async () => {
    settings('env: { deny: [STRIPE_*] }\n');
    const { seen, withheld } = await lane(() => ['DATABASE_URL']);
    assert.deepEqual(seen, ['MY_TOOL_HOME']);
    const all = ['DATABASE_URL', 'MISTRAL_API_KEY', 'STRIPE_KEY'];
    assert.deepEqual(withheld, [all, all]);
  });
});
