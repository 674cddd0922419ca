import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { tryHold } from '../../../src/engine/store/lock.ts';
import { DemoWorld, writes } from './demoWorld.ts';

/** What is broken in one run is told with its file and the cure; nothing is lost, and the others go on. */
describe('a run of which something is broken or held', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let broken: { run: string; folder: string };

  before(async () => {
    world = new DemoWorld();
    kit = await world.kit();
    broken = await ended('broken');
  });
  after(() => world.dispose());

  async function ended(id: string): Promise<{ run: string; folder: string; lane: LaneView }> {
    const { run, atRest } = await kit.startRun({
      text: world.plan([{ id, steps: [writes(`${id}.txt`)] }]),
    });
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join());
    return { run, folder: (await kit.readRun(run)).folder, lane };
  }

  const faults: [string, (folder: string) => () => void, RegExp][] = [
    [
      'a journal written by a newer version',
      (folder) => {
        const file = join(folder, 'journal.jsonl');
        const text = readFileSync(file, 'utf8');
        appendFileSync(file, '{"seq":999,"at":"2030-01-01T00:00:00Z","type":"lane.teleported"}\n');
        return () => writeFileSync(file, text);
      },
      /journal\.jsonl:\d+ .*newer AgentKit/,
    ],
    [
      'a plan that was changed',
      (folder) => {
        const file = join(folder, 'plan.yaml');
        const text = readFileSync(file, 'utf8');
        writeFileSync(file, '{ not: [yaml');
        return () => writeFileSync(file, text);
      },
      /plan\.yaml was changed .*put it back/,
    ],
    [
      'a plan that is gone',
      (folder) => {
        const file = join(folder, 'plan.yaml');
        renameSync(file, `${file}.away`);
        return () => renameSync(`${file}.away`, file);
      },
      /plan\.yaml is gone.*put it back/,
    ],
  ];
  for (const [index, [name, harm, message]] of faults.entries())
    it(`says so, keeps all as it is, and goes on when it is put right: ${name}`, async () => {
      const { run, folder } = broken;
      const repair = harm(folder);
      const journal = readFileSync(join(folder, 'journal.jsonl'));
      // A window that knew the run before may go on to show what it knew.
      const other = await world.kit();
      await assert.rejects(other.resumeRun(run), { message });
      await assert.rejects(other.request(run, { do: 'merge', lane: 'broken' }), { message });
      assert.deepEqual(
        readdirSync(join(folder, 'requests')),
        [],
        'it would be carried out later, unannounced',
      );
      await assert.rejects(other.findLane('no-such-lane'), { reason: 'not_found', message });
      const { runs, unreadable } = await other.listRuns();
      assert.match(unreadable[0]?.message ?? '', message);
      assert.ok(!runs.some((each) => each.run === run));
      assert.deepEqual(readFileSync(join(folder, 'journal.jsonl')), journal);
      await ended(`beside-${index}`);
      repair();
      const again = await world.kit();
      await (
        await again.resumeRun(run)
      ).atRest;
      assert.equal((await again.findLane('broken')).state, 'ready');
    });

  it('is not taken from a live owner, and is when that has let go', async () => {
    const held = tryHold(join(broken.folder, 'owner.lock'));
    await assert.rejects(kit.resumeRun(broken.run), { reason: 'conflict', message: /Another window or ak/ });
    held?.release();
    await (
      await kit.resumeRun(broken.run)
    ).atRest;
  });

  it('does not move a target that git has locked, says which, and does when it is free', async () => {
    const lock = join(world.repo, '.git', 'refs', 'heads', 'main.lock');
    const before = world.git('rev-parse', 'main');
    writeFileSync(lock, '');
    const refused = await kit.request(broken.run, { do: 'merge', lane: 'broken' });
    assert.equal(refused.ok, false);
    assert.match(refused.message, /main\.lock/);
    assert.equal(world.git('rev-parse', 'main'), before);
    assert.equal(world.git('status', '--porcelain'), '');
    rmSync(lock);
    const merged = await kit.request(broken.run, { do: 'merge', lane: 'broken' });
    assert.ok(merged.ok, merged.message);
  });

  it('stops one lane whose index git has locked, not the others, and goes on when it is free', async () => {
    const ask = { ask: { for: 'question', text: 'Which?', answer: 'answer' } };
    const jobs = [
      { id: 'locked', steps: [ask, writes('locked.txt')] },
      { id: 'free', steps: [writes('free.txt')] },
    ];
    const { run, atRest } = await kit.startRun({ text: world.plan(jobs) });
    const lane = await untilWaiting('locked');
    const lock = join(world.repo, '.git', 'worktrees', 'locked', 'index.lock');
    writeFileSync(lock, '');
    writeFileSync(join(lane.path ?? '', 'answer'), '');
    const { lanes } = await atRest;
    assert.deepEqual(
      lanes.map(({ state }) => state),
      ['failed', 'ready'],
      lanes[0]?.why_not.join(),
    );
    assert.match(lanes[0]?.why_not.join() ?? '', /index\.lock/);
    assert.equal(readFileSync(join(lane.path ?? '', 'locked.txt'), 'utf8'), 'locked.txt\n');
    rmSync(lock);
    const answer = await kit.request(run, { do: 'gate', lane: 'locked' });
    assert.ok(answer.ok, answer.message);
    await (
      await kit.resumeRun(run)
    ).atRest;
    assert.equal((await kit.findLane('locked')).state, 'ready');
  });

  async function untilWaiting(id: string): Promise<LaneView> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const lane = await kit.findLane(id);
      if (lane.state === 'waiting') return lane;
      assert.ok(performance.now() < deadline, `${id} is ${lane.state}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
