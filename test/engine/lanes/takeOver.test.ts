import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { attemptMark, stepMark } from '../../../src/engine/process/attemptMark.ts';
import { processIdentity } from '../../../src/engine/process/identity.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('whoever takes a run over', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;
  const left: number[] = [];

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
    const [gone] = await kit.lanes.create(['gone', 'stays']);
    writeFileSync(join(gone!.path!, 'draft.txt'), 'work\n');
  });
  after(async () => {
    for (const pid of left.filter(lives)) process.kill(pid, 'SIGKILL');
    await world.dispose();
  });

  /** A process that nobody waits for, as an agent leaves one; its id. */
  function leave(mark: string | undefined): number {
    const step = join(world.repo, '.git/agentkit/runs/manual/lanes/stays/setup-1/0');
    const marks = mark !== undefined && { [attemptMark]: mark, [stepMark]: step };
    const env = { PATH: process.env['PATH'], ...marks };
    const script = 'sleep 600 >/dev/null 2>&1 & echo $!';
    const pid = Number(execFileSync('sh', ['-c', script], { env, cwd: world.root, encoding: 'utf8' }));
    left.push(pid);
    return pid;
  }

  /** The warnings of a lane once it has one. */
  async function warningsOf(lane: string): Promise<string> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const { warnings } = await kit.findLane(lane);
      if (warnings.length > 0) return warnings.join(' ');
      assert.ok(performance.now() < deadline, `no warning of lane ${lane}`);
      await pause(50);
    }
  }

  it('makes deleted rescues again, and tells of that', async () => {
    const { rescue } = await kit.lanes.discard('gone');
    const commit = world.git('rev-parse', rescue!);
    world.git('update-ref', '-d', rescue!);
    await (
      await kit.resumeRun('manual')
    ).atRest;
    assert.match(await warningsOf('gone'), /had been deleted or moved, and was made again/);
    assert.equal(world.git('rev-parse', rescue!), commit);
  });

  it('tells what ended agents left running, which is stopped by id and start time, and nothing else', async () => {
    const [pid, other] = [leave('manual/stays/0'), leave(undefined)];
    await (
      await kit.resumeRun('manual')
    ).atRest;
    assert.match(await warningsOf('stays'), new RegExp(`Process ${pid} .*ak lane orphans`));
    const orphans = await kit.lanes.orphans();
    assert.deepEqual(
      orphans.map((each) => [each.pid, each.run, each.lane]),
      [[pid, 'manual', 'stays']],
    );
    const used = await kit.lanes.resources('stays');
    assert.ok(used !== null && used.processes === 1 && used.rss_bytes > 0);
    const stranger = { ...orphans[0]!, started: '1' };
    assert.deepEqual(await kit.lanes.stopOrphans([stranger]), [{ pid, result: 'gone' }]);
    assert.ok(lives(pid));
    assert.deepEqual(await kit.lanes.stopOrphans(orphans), [{ pid, result: 'ended' }]);
    assert.deepEqual(await kit.lanes.orphans(), []);
    assert.ok(lives(other));
    assert.equal(await kit.lanes.resources('stays'), null);
  });

  it('has a discard end what the lane left running', async () => {
    const pid = leave('manual/stays/0');
    assert.ok((await kit.lanes.orphans()).some((each) => each.pid === pid));
    const answer = await kit.lanes.discard('stays');
    assert.ok(answer.ok, answer.message);
    assert.deepEqual(await kit.lanes.orphans(), []);
  });
});

/** Whether there is such a process; one that has ended and that nobody has waited for does not count. */
function lives(pid: number): boolean {
  return processIdentity(pid) !== null;
}
