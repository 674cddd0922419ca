import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentKit, type PlanPreview } from '../../../src/engine/agentKit.ts';
import { addConsent } from '../../../src/engine/person/consents.ts';
import { repositoryTrust, trustRepository } from '../../../src/engine/person/repositoryTrust.ts';
import { DemoWorld, type JobOf } from '../conductor/demoWorld.ts';

describe('previewPlan', function () {
  this.timeout(20_000);
  let world: DemoWorld;
  beforeEach(() => {
    world = new DemoWorld();
  });
  afterEach(() => world.dispose());

  async function preview(more: object = {}, jobs: JobOf[] = [{ id: 'a', steps: [] }]): Promise<PlanPreview> {
    return (await world.kit()).previewPlan({ text: world.plan(jobs, more) });
  }

  /** Its only problem, with the line of the plan that it points to. */
  async function problem(more: object): Promise<{ at: string | undefined; message: string }> {
    const { problems, whyNot, refusal, plan } = await preview(more);
    assert.deepEqual([plan, refusal, problems.length, whyNot.length], [null, 'invalid_input', 1, 1]);
    const [{ line, column, message } = { line: 0, column: 1, message: '' }] = problems;
    const text = world.plan([{ id: 'a', steps: [] }], more).split('\n')[line - 1];
    return { at: text?.slice(column - 1), message };
  }

  it('names a base that is not there at its place', async () => {
    const { at, message } = await problem({ base: 'nope' });
    assert.equal(at, 'nope');
    assert.match(message, /no branch, tag or commit "nope"/);
    assert.deepEqual((await preview({ base: 'main' })).whyNot, []);
  });

  it('names a target that is not there at its place, and takes it once it is made as said', async () => {
    const { at, message } = await problem({ merge: { into: 'nope' } });
    assert.equal(at, 'nope');
    const [, args = ''] = /make it: git (.+)$/.exec(message) ?? [];
    world.git(...args.split(' '));
    assert.equal((await preview({ merge: { into: 'nope' } })).plan?.merge.into, 'nope');
  });

  it('asks for a target when no branch is checked out, and when the base is no branch', async () => {
    world.git('tag', 'v1');
    assert.match((await problem({ base: 'v1' })).message, /base "v1" is no branch.*set merge\.into/);
    world.git('branch', '-m', 'trunk');
    world.git('switch', '--quiet', '--detach');
    assert.match((await problem({})).message, /no branch is checked out.*set merge\.into/);
    const { plan, base, refusal } = await preview({ merge: { into: 'trunk' } });
    assert.deepEqual([plan?.merge.into, base?.how, refusal], ['trunk', 'the commit checked out here', null]);
  });

  it('starts from the remote branch and merges into the local one of its name, which has to be there', async () => {
    const remote = join(world.root, 'remote.git');
    world.git('clone', '--quiet', '--bare', '.', remote);
    world.git('remote', 'add', 'origin', remote);
    world.git('fetch', '--quiet');
    const { plan, base, whyNot } = await preview();
    assert.deepEqual([plan?.base, plan?.merge.into, whyNot], ['origin/main', 'main', []]);
    assert.match(base?.how ?? '', /^found on origin/);
    world.git('switch', '--quiet', '-c', 'feature');
    world.git('branch', '-D', 'main');
    const { message } = await problem({});
    assert.match(message, /no branch "main" here to merge into; make it \(git branch main origin\/main\)/);
    world.git('branch', 'main', 'origin/main');
    assert.equal((await preview()).plan?.merge.into, 'main');
  });

  it('says of a target that is no branch of this clone how to come to one', async () => {
    const into = async (branch: string) => (await problem({ base: 'HEAD', merge: { into: branch } })).message;
    assert.match(
      await into('next'),
      /there is no branch "next" to merge into; make it: git branch next \w+$/,
    );
    world.git('tag', 'v1');
    assert.match(await into('v1'), /^"v1" names a commit, as a tag does, and no branch; set merge\.into to/);
    const remote = join(world.root, 'remote.git');
    world.git('clone', '--quiet', '--bare', '.', remote);
    world.git('remote', 'add', 'origin', remote);
    world.git('fetch', '--quiet');
    assert.match(
      await into('origin/main'),
      /^"origin\/main" is a branch of a remote, .*; set merge\.into to main$/,
    );
    world.git('branch', '-m', 'trunk');
    const make = /; make one \(git branch main origin\/main\) and set merge\.into to main$/;
    assert.match(await into('origin/main'), make);
    world.git('branch', 'main', 'origin/main');
    assert.equal((await preview({ merge: { into: 'main' } })).plan?.merge.into, 'main');
  });

  it('fetches the base when it starts and not before, and starts from what it has when that fails', async () => {
    const remote = join(world.root, 'remote.git');
    world.git('clone', '--quiet', '--bare', '.', remote);
    world.git('remote', 'add', 'origin', remote);
    world.git('fetch', '--quiet');
    const old = world.git('rev-parse', 'HEAD');
    world.git('commit', '--quiet', '--allow-empty', '-m', 'elsewhere');
    const fresh = world.git('rev-parse', 'HEAD');
    world.git('push', '--quiet', remote, 'main');
    world.git('reset', '--quiet', '--hard', old);
    assert.equal((await preview()).base?.sha, old);
    const text = world.plan([{ id: 'a', steps: [{ write: { path: 'a.txt', content: 'a' } }] }]);
    const kit = await world.kit();
    const baseOf = async () => (await (await kit.startRun({ text })).atRest).lanes[0]?.base?.sha;
    assert.equal(await baseOf(), fresh);
    rmSync(remote, { recursive: true });
    assert.equal(await baseOf(), fresh);
  });

  it('names file, line and column of what is wrong in agentkit.yaml', async () => {
    const commit = (text: string) => {
      world.write('agentkit.yaml', text);
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', 'gate');
    };
    commit('version: 1\ngate:\n  - { name: own, run: "" }\n');
    assert.match((await problem({ gate: undefined })).message, /^agentkit\.yaml:3:23 gate\[0\]\.run: /);
    commit('version: 1\ngate: [\n');
    assert.match((await problem({ gate: undefined })).message, /^agentkit\.yaml:3:1 /);
    commit('- gate\n');
    assert.match((await problem({ gate: undefined })).message, /^agentkit\.yaml:1:1 it must be a mapping/);
    commit('version: 1\ngate:\n  - { name: own, run: "true" }\n');
    assert.equal((await preview({ gate: undefined })).gateSource, 'agentkit.yaml');
  });

  it('counts only writers that can work at the same time', async () => {
    const chain = [
      { id: 'a', steps: [] },
      { id: 'b', steps: [], depends_on: ['a'] },
      { id: 'c', steps: [], depends_on: ['a', 'b'] },
    ];
    const found = await preview({}, chain);
    assert.equal(found.writers, 1);
    assert.deepEqual(
      found.jobs.map(({ account, waits }) => [account?.name ?? null, waits]),
      [
        ['demo/@one', null],
        [null, 'starts when a is merged'],
        [null, 'starts when a and b are merged'],
      ],
    );
    const apart = chain.map(({ id, steps }) => ({ id, steps }));
    assert.equal((await preview({}, apart)).writers, 3);
    assert.equal((await preview({ concurrency: 2 }, apart)).writers, 2);
  });

  it('tells before the start that nothing could ever run a later job', async () => {
    const jobs = [
      { id: 'a', steps: [] },
      { id: 'b', steps: [], depends_on: ['a'], kind: undefined, account: 'demo/@gone' },
    ];
    const { whyNot, refusal } = await preview({}, jobs);
    assert.match(whyNot.join(), /^b: There is no account of demo\/@gone/);
    assert.equal(refusal, 'refused');
  });

  it('says none_qualifies only when that is all', async () => {
    for (const name of ['one', 'two', 'three']) world.setUsage(name, 100);
    assert.equal((await preview()).refusal, 'none_qualifies');
    world.git('branch', 'lane/a');
    assert.equal((await preview()).refusal, 'refused');
    assert.equal((await preview({ base: 'nope' })).refusal, 'invalid_input');
  });

  it('starts from the same base wherever it is opened, and from another branch when the plan says so', async () => {
    const folder = join(world.root, 'linked ü');
    world.git('worktree', 'add', '--quiet', folder, '-b', 'feature');
    const { dist, environment } = world;
    const options = { head: 'ak', node: process.execPath, dist, environment } as const;
    const jobs = [{ id: 'a', steps: [{ write: { path: 'a.txt', content: 'a' } }] }];
    const text = world.plan(jobs, { base: 'feature' });
    const linked = await createAgentKit({ ...options, folder });
    try {
      const { plan } = await linked.previewPlan({ text });
      assert.deepEqual([plan?.base, plan?.merge.into], ['feature', 'feature']);
      assert.equal((await linked.previewPlan({ text: world.plan(jobs) })).plan?.base, 'main');
      const lane = (await (await linked.startRun({ text })).atRest).lanes[0];
      assert.deepEqual([lane?.state, lane?.base?.ref], ['ready', 'feature']);
      const inLane = await createAgentKit({ ...options, folder: lane?.path ?? '' });
      assert.equal((await inLane.previewPlan({ text: world.plan(jobs) })).plan?.base, 'main');
      await inLane.dispose();
    } finally {
      await linked.dispose();
    }
    assert.equal((await preview()).plan?.base, 'main');
  });

  it("lets an agent's shell start one writer of a vendor's, and no more", async () => {
    const jobs = (...ids: string[]) => ids.map((id) => ({ id, steps: [], kind: 'claude' }));
    world.environment['CLAUDECODE'] = '1';
    const told = async (...ids: string[]) => (await preview({}, jobs(...ids))).whyNot.join('\n');
    assert.match(await told('a', 'b'), /belongs to a coding agent \(CLAUDECODE is set\)/);
    assert.doesNotMatch(await told('a'), /coding agent/);
    await addConsent({ HOME: world.environment['HOME'] }, 'parallel-writers', []);
    assert.doesNotMatch(await told('a', 'b'), /coding agent/);
    const file = join(world.environment['HOME']!, '.config', 'agentkit', 'consent.json');
    chmodSync(file, 0o666);
    assert.match(await told('a', 'b'), /consent\.json can be written by others/);
    rmSync(file);
    assert.match(await told('a', 'b'), /ak consent add parallel-writers/);
    delete world.environment['CLAUDECODE'];
    assert.doesNotMatch(await told('a', 'b'), /coding agent/);
  });

  it("needs the person's word for commands of agentkit.yaml, for no others, and not where the editor has it", async () => {
    const settle = (command: string) => {
      world.write('agentkit.yaml', `version: 1\ngate:\n  - { name: own, run: "${command}" }\n`);
      world.git('add', '.');
      world.git('commit', '--quiet', '-m', 'gate');
    };
    const allow = async () => {
      const shown = await repositoryTrust((await world.kit()).repository, 'main', world.environment);
      await trustRepository(shown, world.environment);
    };
    const told = async () => (await preview({ gate: undefined })).whyNot.join();
    settle('true');
    assert.match(await told(), /^You have not allowed the commands of agentkit\.yaml yet;.*ak trust add$/);
    assert.equal((await preview({ gate: undefined })).refusal, 'refused');
    assert.deepEqual((await preview()).whyNot, []);
    const text = world.plan([{ id: 'a', steps: [] }], { gate: undefined });
    assert.deepEqual((await (await world.kit('editor')).previewPlan({ text })).whyNot, []);
    await allow();
    assert.equal(await told(), '');
    settle('false');
    assert.match(await told(), /have changed since you allowed them \(.*run: "?true"? \| .*run: "?false"?\)/);
    await allow();
    assert.equal(await told(), '');
  });
});
