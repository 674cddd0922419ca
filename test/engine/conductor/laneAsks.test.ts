import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentKit, type AgentKit } from '../../../src/engine/agentKit.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** The person's opt-out of autonomy, at each place where it can be said, and what agents of lanes inherit of it. */
describe('whether the agent of a lane asks', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kits: AgentKit[];

  beforeEach(() => {
    world = new DemoWorld(['one']);
    kits = [];
  });
  afterEach(async () => {
    await Promise.all(kits.map((kit) => kit.dispose()));
    await world.dispose();
  });

  async function kitOf(said: Partial<Parameters<typeof createAgentKit>[0]> = {}): Promise<AgentKit> {
    const { repo: folder, dist, environment } = world;
    const options = { folder, head: 'editor', node: process.execPath, dist, environment } as const;
    const kit = await createAgentKit({ ...options, ...said });
    kits.push(kit);
    return kit;
  }

  /** One lane that fails its gate, so that it can be tried again. */
  const failing = (more: object = {}) =>
    world.plan([{ id: 'job', steps: [writes('job.txt', 'BROKEN\n')] }], more);

  function inherited(folder: string, attempt: number): string {
    const file = join(folder, 'lanes', 'job', `attempt-${attempt}`, 'launch.json');
    const { env } = JSON.parse(readFileSync(file, 'utf8')) as { env: Record<string, string> };
    return env['AGENTKIT_PERMISSIONS'] ?? 'nothing';
  }

  async function started(kit: AgentKit, text = failing(), ask?: boolean): Promise<string> {
    const { run, atRest } = await kit.startRun({ text }, ask === undefined ? {} : { ask });
    await atRest;
    return (await kit.readRun(run)).folder;
  }

  async function triedAgain(kit: AgentKit, run: string): Promise<void> {
    const { ok, message } = await kit.request(run, { do: 'retry', lane: 'job' });
    assert.ok(ok, message);
    await (
      await kit.resumeRun(run)
    ).atRest;
  }

  for (const said of [undefined, 'auto']) {
    it(`is no where ${said ?? 'nothing'} is all that is said`, async () => {
      world.environment['AGENTKIT_PERMISSIONS'] = said;
      const kit = await kitOf({ asks: () => null });
      assert.deepEqual((await kit.previewPlan({ text: failing() })).asked_by, []);
      assert.equal(inherited(await started(kit), 1), 'nothing');
    });
  }

  const settings = () => {
    const folder = join(world.environment['HOME'] ?? '', '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.yaml'), 'permissions: ask\n', { mode: 0o600 });
  };
  const places: [string, RegExp, () => Promise<[kit: AgentKit, text?: string]>][] = [
    ['the plan', /^permissions in the plan$/, async () => [await kitOf(), failing({ permissions: 'ask' })]],
    ['the settings of the head', /^the switch$/, async () => [await kitOf({ asks: () => 'the switch' })]],
    [
      'the environment',
      /^AGENTKIT_PERMISSIONS$/,
      async () => [await kitOf({ environment: { ...world.environment, AGENTKIT_PERMISSIONS: 'ask' } })],
    ],
    ['the settings of ak', /settings\.yaml$/, async () => (settings(), [await kitOf({ asks: () => null })])],
  ];
  for (const [place, words, make] of places) {
    it(`is yes by ${place} alone, and a preview says where`, async () => {
      world.environment['AGENTKIT_PERMISSIONS'] = 'auto';
      const [kit, text = failing()] = await make();
      const { asked_by: asked } = await kit.previewPlan({ text });
      assert.equal(asked.length, 1);
      assert.match(asked[0] ?? '', words);
      assert.equal(inherited(await started(kit, text, false), 1), 'ask');
    });
  }

  it('is asked for each agent anew where the settings of the head say it', async () => {
    let said: string | null = null;
    const kit = await kitOf({ asks: () => said });
    const folder = await started(kit);
    said = 'the switch';
    await triedAgain(kit, folder);
    said = null;
    await triedAgain(kit, folder);
    assert.deepEqual(
      [1, 2, 3].map((attempt) => inherited(folder, attempt)),
      ['nothing', 'ask', 'nothing'],
    );
  });

  it('stays yes for a run that was started so, whoever goes on with it', async () => {
    const first = await kitOf({ head: 'ak' });
    const { asked_by: asked } = await first.previewPlan({ text: failing() }, { ask: true });
    assert.deepEqual(asked, ['--ask']);
    const folder = await started(first, failing(), true);
    await first.dispose();
    await triedAgain(await kitOf(), folder);
    assert.deepEqual([inherited(folder, 1), inherited(folder, 2)], ['ask', 'ask']);
  });

  it('is yes from then on for a run that is resumed so, whoever goes on with it', async () => {
    const first = await kitOf({ head: 'ak' });
    const folder = await started(first);
    await (
      await first.resumeRun(folder, { ask: true })
    ).atRest;
    await first.dispose();
    await triedAgain(await kitOf(), folder);
    assert.deepEqual([inherited(folder, 1), inherited(folder, 2)], ['nothing', 'ask']);
  });

  it('is yes from then on also where the process that resumes it so has it already', async () => {
    const kit = await kitOf();
    const steps = [{ wait: 2 }, writes('job.txt', 'BROKEN\n')];
    const { run } = await kit.startRun({ text: world.plan([{ id: 'job', steps }]) });
    const { atRest } = await kit.resumeRun(run, { ask: true });
    const { folder, owner } = await atRest;
    assert.equal(owner?.alive, true);
    await triedAgain(kit, folder);
    assert.equal(inherited(folder, 2), 'ask');
  });
});
