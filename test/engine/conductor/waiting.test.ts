import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneState } from '../../../src/core/lanes/laneState.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { attemptFolder } from '../../../src/core/run/stepFolders.ts';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld, writes } from './demoWorld.ts';

describe('a lane whose agent waits for a person', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let kit: AgentKit;
  beforeEach(async () => {
    world = new DemoWorld();
    kit = await world.kit();
  });
  afterEach(() => world.dispose());

  /** A run of one lane that asks before it writes its file. */
  const start = (ask: object, more: object = {}) =>
    kit.startRun({ text: world.plan([{ id: 'job', steps: [{ ask }, writes('job.txt')] }], more) });

  const laneIn = (state: LaneState): Promise<LaneView> =>
    poll(`the lane to be ${state}`, 15_000, async () => {
      const lane = await kit.findLane('job');
      return lane.state === state ? lane : undefined;
    });

  function eventsOf(lane: LaneView, folder: string): string[] {
    return readFileSync(join(folder, 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; lane?: string })
      .filter((event) => event.lane === lane.lane && /waiting|continued|attempt/.test(event.type))
      .map(({ type }) => type);
  }

  for (const reason of ['permission', 'trust', 'login', 'question'] as const) {
    it(`is waiting within seconds, for a ${reason}, and goes on when the person has answered`, async () => {
      const asked = Date.now();
      const { run, atRest } = await start({ for: reason, text: 'May it?', answer: 'answer' });
      const lane = await laneIn('waiting');
      const { waiting } = lane;
      assert.deepEqual([waiting?.reason, waiting?.message], [reason, 'May it?']);
      assert.ok(Date.parse(waiting?.since ?? '') >= asked);
      assert.match(lane.why_not.join('; '), /^its agent waits for somebody; its agent asks .*: May it\?$/);
      assert.ok(!existsSync(join(lane.path ?? '', 'job.txt')), 'nobody answers for the person');
      writeFileSync(join(lane.path ?? '', 'answer'), '');
      const [after] = (await atRest).lanes;
      assert.deepEqual([after?.state, after?.waiting], ['ready', null]);
      assert.deepEqual(after?.changes.outside_paths, []);
      const { folder } = await kit.readRun(run);
      const [started, told, ...rest] = eventsOf(lane, folder);
      assert.deepEqual([started, told, rest.at(-1)], ['attempt.started', 'lane.waiting', 'attempt.ended']);
    });
  }

  it('runs again, and is told as running, when its agent goes on before it ends', async () => {
    const steps = [
      { ask: { for: 'question', text: 'Which?', answer: 'answer' } },
      writes('job.txt'),
      { wait: 3 },
    ];
    const { run, atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps }]) });
    const lane = await laneIn('waiting');
    writeFileSync(join(lane.path ?? '', 'answer'), '');
    const running = await laneIn('running');
    assert.deepEqual([running.waiting, running.why_not], [null, ['its agent is at work']]);
    assert.equal((await atRest).lanes[0]?.state, 'ready');
    const events = eventsOf(lane, (await kit.readRun(run)).folder);
    assert.deepEqual(events, ['attempt.started', 'lane.waiting', 'lane.continued', 'attempt.ended']);
  });

  it('is interrupted after the time that the plan gives it, rescued and blocked, and its account is free again', async () => {
    const { atRest } = await start({ for: 'login', text: 'Log in first' }, { waiting_timeout: 2 });
    const lane = await laneIn('waiting');
    assert.equal((await leases()).length, 1, 'a lane that waits keeps its account');
    const [after] = (await atRest).lanes;
    assert.deepEqual([after?.state, after?.attempts[0]?.outcome], ['blocked', 'stopped']);
    assert.equal(after?.rescues[0]?.why, 'blocked');
    assert.match(
      after?.why_not.join('; ') ?? '',
      /its agent asks for a login: Log in first; nobody answered within 2 s\. What it held is in /,
    );
    assert.equal(after?.waiting, null);
    assert.deepEqual(await leases(), []);
    assert.ok(existsSync(lane.path ?? ''), 'it keeps what it has');
  });

  it('is stopped like any other', async () => {
    const { run, atRest } = await start({ for: 'question', text: 'Which?' });
    await laneIn('waiting');
    const answer = await kit.request(run, { do: 'stopLane', lane: 'job' });
    assert.equal(answer.ok, true);
    assert.equal((await atRest).lanes[0]?.state, 'interrupted');
  });

  it('is only interrupted where its supervisor is told to end, which says nothing of its asking', async () => {
    const { run, atRest } = await start({ for: 'question', text: 'Which?' });
    await laneIn('waiting');
    const { folder } = await kit.readRun(run);
    const { status } = await readStep(join(folder, attemptFolder('job', 1)));
    assert.ok(status);
    process.kill(status.supervisor.pid, 'SIGTERM');
    const [after] = (await atRest).lanes;
    assert.deepEqual([after?.state, after?.attempts[0]?.outcome], ['interrupted', 'stopped']);
    assert.deepEqual(after?.rescues, []);
    assert.match(after?.why_not.join() ?? '', /SIGTERM/);
  });

  const leases = () => listLeases({ environment: world.environment });
});
