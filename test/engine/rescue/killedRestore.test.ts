import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { restoreRescue, type RestoreRequest } from '../../../src/engine/rescue/restoreRescue.ts';
import { readMarker } from '../../../src/engine/git/marker.ts';
import { adminSnapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

const code = pathToFileURL(resolve('src/engine/rescue/restoreRescue.ts')).href;

describe('a restore that is killed', () => {
  let repo: RescueFixture;
  before(() => {
    repo = rescueFixture();
  });
  after(() => repo.remove());

  /** Restores in a process of its own, which is killed as soon as `when` says so. */
  async function killed(request: RestoreRequest, when: () => boolean): Promise<void> {
    const script = `import(${JSON.stringify(code)}).then((m) => m.restoreRescue(${JSON.stringify(request)}))`;
    const child = spawn(process.execPath, ['--no-warnings', '-e', script], { stdio: 'ignore' });
    const ended = new Promise((done) => child.once('close', done));
    let over = false;
    void ended.then(() => (over = true));
    while (!over && !when()) await turn();
    child.kill('SIGKILL');
    await ended;
  }

  it('is finished by the next one, wherever it was', async () => {
    const lane = await repo.make('api');
    const at = (name: string) => join(lane.path, name);
    mkdirSync(at('many'));
    for (let n = 100; n < 400; n += 1) writeFileSync(at(`many/${n}`), `${n}\n`.repeat(200));
    writeFileSync(at('staged'), 'staged\n');
    repo.git(['add', 'staged'], lane.path);
    const state = () => [worktreeSnapshot(lane.path), adminSnapshot(repo.admin(lane.path))];
    const then = state();
    const rescue = await repo.rescue(lane);
    const admin = repo.admin(lane.path);
    const request = repo.restoreRequest(rescue, lane);
    const moments: Record<string, () => boolean> = {
      'the branch': () => existsSync(join(repo.commonDir, 'refs/heads', lane.branch)),
      'the worktree': () => existsSync(at('.git')),
      'the first files': () => existsSync(at('many/100')),
      'half of the files': () => existsSync(at('many/250')),
      'the last file': () => existsSync(at('staged')),
      'the index': () => existsSync(join(admin, 'index')),
    };
    let halfWay = 0;
    for (const [moment, when] of Object.entries(moments)) {
      repo.discard(lane);
      await killed(request, when);
      const marker = existsSync(lane.path) ? await readMarker(lane.path) : null;
      if (marker?.prepared !== true) halfWay += 1;
      await restoreRescue(request);
      assert.deepEqual(state(), then, `after ${moment}`);
      assert.equal((await readMarker(lane.path))?.prepared, true);
    }
    assert.ok(halfWay > 0, 'no kill came before the end');
  });
});
