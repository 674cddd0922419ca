import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { attemptMark, stepMark } from '../../../src/engine/process/attemptMark.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';
import { kill, poll } from '../process/stepFixture.ts';

/** A process that a lane left writes into it once more when it is told to end. */
describe('what a process writes into a lane as it is ended', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let kit: AgentKit;
  const left: ProcessIdentity[] = [];

  before(async () => {
    world = new DemoWorld(['one']);
    kit = await world.kit();
  });
  after(async () => {
    left.filter(isAlive).forEach(({ pid }) => kill(pid));
    await world.dispose();
  });

  /** Leaves such a process, which nobody waits for and which stands elsewhere. */
  async function leave(path: string, step: string, mark: string): Promise<ProcessIdentity> {
    const script = 'trap "echo last > \\"$1\\"; exit" TERM; echo > "$2"; while :; do sleep 0.05; done';
    const start = 'sh -c "$1" sh "$2" "$3" > /dev/null 2>&1 & echo $!';
    const ready = join(world.root, `ready ${left.length}`);
    const env = { PATH: process.env['PATH'], [attemptMark]: mark, [stepMark]: step };
    const args = ['-c', start, 'sh', script, join(path, 'words.txt'), ready];
    const pid = Number(execFileSync('sh', args, { cwd: world.root, env, encoding: 'utf8' }));
    const identity = processIdentity(pid) ?? assert.fail();
    left.push(identity);
    await poll('a process that heeds', 20_000, () => existsSync(ready) || undefined);
    return identity;
  }

  async function assertKept(rescue: string | null, found: ProcessIdentity): Promise<void> {
    assert.ok(!isAlive(found), 'it still runs');
    const back = await kit.lanes.restore(rescue ?? '');
    assert.equal(back.state, 'open', back.why_not.join());
    assert.equal(readFileSync(join(back.path!, 'words.txt'), 'utf8'), 'last\n');
  }

  it('is in the rescue of a lane that is discarded', async () => {
    const [lane] = await kit.lanes.create(['hand']);
    const { folder } = await kit.readRun('manual');
    const found = await leave(lane!.path!, join(folder, 'lanes/hand/setup-1/0'), 'manual/hand/0');
    const answer = await kit.lanes.discard('hand');
    assert.ok(answer.ok, answer.message);
    await assertKept(answer.rescue, found);
  });

  it('is in the rescue of a lane whose agent nobody answered', async () => {
    const ask = { ask: { for: 'question', text: 'Which?' } };
    const text = world.plan([{ id: 'job', steps: [ask] }], { waiting_timeout: 5 });
    const { run, atRest } = await kit.startRun({ text });
    const waiting = await poll('an agent that waits', 60_000, async () => {
      const lane = await kit.findLane('job');
      return lane.state === 'waiting' ? lane : undefined;
    });
    const { folder } = await kit.readRun(run);
    const found = await leave(waiting.path!, join(folder, 'lanes/job/attempt-1'), `${run}/job/1`);
    const [lane] = (await atRest).lanes;
    assert.equal(lane?.state, 'blocked', lane?.why_not.join());
    await assertKept(lane.rescue, found);
  });

  it('may still come from one that an agent leaves and that is not ours to end, which is told with the lane', async () => {
    const steps = [{ ask: { for: 'question', text: 'Which?', answer: 'answer' } }, writes('told.txt')];
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'told', steps }]) });
    const { path } = await poll('an agent that waits', 60_000, async () => {
      const lane = await kit.findLane('told');
      return lane.state === 'waiting' ? lane : undefined;
    });
    const env = { PATH: process.env['PATH'], [attemptMark]: `${run}/told/1` };
    const child = spawn('sleep', ['600'], { cwd: world.root, env, stdio: 'ignore' });
    const ended = once(child, 'close');
    try {
      writeFileSync(join(path!, 'answer'), '');
      const [lane] = (await atRest).lanes;
      assert.match(lane?.warnings.join() ?? '', new RegExp(`attempt 1.*\\b${child.pid}\\b`));
      assert.equal(child.exitCode ?? child.signalCode, null, 'it was ended');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});
