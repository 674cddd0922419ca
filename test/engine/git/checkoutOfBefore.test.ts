import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { whenCheckoutHasEnded } from '../../../src/engine/git/checkoutOfBefore.ts';
import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { laneFacts } from '../../../src/engine/git/laneFacts.ts';
import { readMarker } from '../../../src/engine/git/marker.ts';
import { remakeLane } from '../../../src/engine/git/remakeLane.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('a checkout that goes on after its owner was killed', function () {
  this.timeout(60_000);
  let repo: TempRepository;
  let lane: LaneRequest;
  let lost: ChildProcess;

  beforeEach(async () => {
    repo = tempRepository();
    const started = join(repo.folder, 'started');
    repo.git(['config', 'filter.slow.smudge', `touch "${started}"; sleep 2; cat`]);
    repo.commit({ '.gitattributes': '*.slow filter=slow\n', 'x.slow': 'slow\n' });
    lane = repo.lane('api');
    const reason = `agentkit run1/api ${lane.nonce}`;
    repo.git(['update-ref', '--create-reflog', '-m', reason, `refs/heads/${lane.branch}`, lane.base, '']);
    repo.git(['worktree', 'add', '--no-checkout', '--lock', '--reason', reason, lane.path, lane.branch]);
    lost = spawn('git', ['reset', '--hard', '--quiet'], { cwd: lane.path, stdio: 'ignore' });
    const deadline = Date.now() + 20_000;
    while (!existsSync(started) && Date.now() < deadline) await pause(20);
  });
  afterEach(async () => {
    await end();
    repo.remove();
  });

  async function end(): Promise<void> {
    if (lost.exitCode !== null || lost.signalCode !== null) return;
    lost.kill('SIGKILL');
    await once(lost, 'close');
  }

  async function assertTakenOn(folder: number): Promise<void> {
    assert.equal((await laneFacts(lane)).clean, true);
    assert.equal(readFileSync(join(lane.path, 'x.slow'), 'utf8'), 'slow\n');
    assert.equal((await readMarker(lane.path))?.prepared, true);
    assert.equal(statSync(lane.path).ino, folder, 'the folder was not made anew');
    assert.deepEqual(readdirSync(dirname(lane.path)), [basename(lane.path)], 'nothing was put aside');
  }

  it('is waited for, and what it has made is taken on by who makes the lane', async () => {
    const { ino } = statSync(lane.path);
    assert.deepEqual(await createLane(lane), { warnings: [] });
    await assertTakenOn(ino);
  });

  it('is waited for, and what it has made is taken on by who makes the lane again', async () => {
    const { ino } = statSync(lane.path);
    assert.equal(await remakeLane(lane), true);
    await assertTakenOn(ino);
  });

  it('is not waited for for ever; no other process inside is waited for', async () => {
    await rejectsWith(whenCheckoutHasEnded(lane, 0), 'conflict', lane.path, `${lost.pid}`);
    await end();
    lost = spawn('sleep', ['600'], { cwd: lane.path, stdio: 'ignore' });
    await whenCheckoutHasEnded(lane, 20_000);
    assert.equal(lost.exitCode, null);
  });
});
