import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { identityOf, isAlive } from '../../../src/engine/process/identity.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { recorded } from '../agents/claude/recorded.ts';
import { kill, poll, untilDead } from '../process/stepFixture.ts';
import { answerOf } from './akProcess.ts';
import { RunWorld } from './runWorld.ts';

/** Leaves a process of a session of its own, of which no parent is there any more. */
const leaves = `
  require('node:child_process').spawnSync('/bin/sh', ['-c',
    'setsid sleep 600 > /dev/null 2>&1 < /dev/null & echo $! > left.pid']);`;
const ends = `process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`;
const works = `process.once('SIGTERM', () => process.exit(1)); setInterval(() => {}, 1000);`;

describe('what an agent of ak run leaves', function () {
  this.timeout(60_000);
  let world: RunWorld;
  let kit: AgentKit;
  before(async () => {
    world = new RunWorld();
    kit = await world.kit();
    await kit.lanes.create(['hand', 'other', 'busy']);
  });
  after(() => world.dispose());

  const pathOf = async (lane: string) => (await kit.findLane(lane)).path ?? '';
  const orphans = async () => (await kit.lanes.orphans()).map(({ pid, lane }) => [lane, pid]);

  /** The id of what was left in a folder. */
  async function leftIn(folder: string): Promise<number> {
    const file = join(folder, 'left.pid');
    const read = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    const pid = await poll('a process id', 20_000, () => read() || undefined);
    rmSync(file);
    return pid;
  }

  /** Runs an agent that leaves a process in this lane. */
  async function leave(lane: string): Promise<number> {
    world.answer({ during: leaves + ends });
    const answer = await world.run(['claude', '@work', '--lane', lane, '--', 'x']);
    const pid = await leftIn(await pathOf(lane));
    assert.deepEqual([answer.exit, answer.strays], [0, [pid]], answer.error?.message);
    return pid;
  }

  it('in a lane is an orphan of that lane, and of no other repository with one of this name', async () => {
    const pid = await leave('hand');
    const found = platform.find(pid);
    assert.ok(found);
    assert.deepEqual(await orphans(), [['hand', pid]]);

    const elsewhere = new RunWorld();
    try {
      const theirs = await elsewhere.kit();
      await theirs.lanes.create(['hand']);
      assert.deepEqual(await theirs.lanes.orphans(), []);
      assert.ok((await theirs.lanes.discard('hand')).ok);
    } finally {
      await elsewhere.dispose();
    }
    assert.ok(isAlive(identityOf(found)), 'another repository ended it');

    // Nothing has to be known of the run any more.
    rmSync(join(world.root, 'state', 'agentkit', 'runs'), { recursive: true });
    const [first, ...more] = await kit.lanes.orphans();
    assert.ok(first && more.length === 0);
    const [wrong] = await kit.lanes.stopOrphans([{ ...first, started: '1' }]);
    assert.equal(wrong?.result, 'gone');
    assert.ok(isAlive(identityOf(found)), 'it was ended by its id alone');
    assert.deepEqual(await kit.lanes.stopOrphans([first]), [{ pid, result: 'ended' }]);
    assert.ok(!isAlive(identityOf(found)));
  });

  it('in a lane is ended when the lane is discarded, and no reason against it', async () => {
    const pid = await leave('other');
    const found = platform.find(pid);
    assert.ok(found);
    const path = await pathOf('other');
    const { why_not: whyNot, processes } = await kit.lanes.previewDiscard('other');
    assert.deepEqual([whyNot, processes.map((each) => each.pid)], [[], [pid]]);
    const answer = await kit.lanes.discard('other');
    assert.ok(answer.ok, answer.message);
    assert.ok(!isAlive(identityOf(found)) && !existsSync(path));
  });

  it('is no orphan while the agent is at work, until the lane is stopped', async () => {
    world.answer({ during: leaves + works });
    const agent = world.begin(['run', 'claude', '@work', '--json', '--lane', 'busy', '--', 'x']);
    const path = await pathOf('busy');
    const pid = await leftIn(path);
    const found = platform.find(pid);
    assert.ok(found);
    assert.deepEqual(await orphans(), []);
    const [refusal, ...reasons] = (await kit.lanes.previewDiscard('busy')).why_not;
    assert.match(refusal ?? '', /^An agent of ak run \(20\S+\) is at work in lane busy; stop it/);
    for (const reason of reasons) assert.match(reason, /works in .*; end it, or wait until it has ended$/);
    assert.equal((await kit.lanes.discard('busy')).ok, false);
    assert.ok(isAlive(identityOf(found)));

    // A lane of the same name of another repository on this machine is free.
    const elsewhere = new RunWorld();
    elsewhere.environment['XDG_STATE_HOME'] = world.environment['XDG_STATE_HOME'];
    try {
      const theirs = await elsewhere.kit();
      await theirs.lanes.create(['busy']);
      assert.equal(await theirs.lanes.stopGuest('busy'), null);
      const second = await elsewhere.run(['claude', '@other', '--lane', 'busy', '--', 'x']);
      assert.equal(second.exit, 0, second.error?.message);
      assert.ok((await theirs.lanes.discard('busy')).ok);
    } finally {
      await elsewhere.dispose();
    }
    assert.ok(isAlive(identityOf(found)));

    const stop = await world.ak(['lane', 'stop', 'busy']);
    assert.match(stop.out, /^The agent of ak run \(20\S+\) in lane busy is being stopped\.\n$/, stop.err);
    assert.equal(answerOf(await agent.ended).exit, 5);
    assert.equal(await kit.lanes.stopGuest('busy'), null);
    const again = await world.ak(['lane', 'stop', 'busy']);
    assert.match(again.err, /Lane busy is open; nothing of it runs/);
    // What it had started goes with an agent that is stopped, or is an orphan from now on.
    const left = isAlive(identityOf(found)) ? [['busy', pid]] : [];
    assert.deepEqual(await orphans(), left);
    assert.ok((await kit.lanes.discard('busy')).ok);
  });

  it('outside of lanes is nobody’s orphan, also where it works in the folder of one', async () => {
    await kit.lanes.create(['free']);
    const path = await pathOf('free');
    world.answer({ during: leaves + ends });
    assert.equal((await world.run(['claude', '@work', '--', 'x'], { cwd: path })).exit, 0);
    const pid = await leftIn(path);
    const found = platform.find(pid);
    assert.ok(found);
    assert.deepEqual(await orphans(), []);
    const refused = await kit.lanes.discard('free');
    assert.equal(refused.ok, false);
    assert.match(
      refused.message,
      /Process \d+ \(sleep 600\) works in .*; end it, or wait until it has ended/,
    );
    assert.ok(isAlive(identityOf(found)));
    kill(pid);
    await untilDead(identityOf(found));
    assert.ok((await kit.lanes.discard('free')).ok);
  });
});
