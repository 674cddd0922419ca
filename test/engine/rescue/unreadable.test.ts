import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

/** Root reads everything, so as root the repository is given to this user, who then does the work. */
const nobody = 65534;

describe('a lane with something that cannot be read', () => {
  let repo: RescueFixture;
  let lane: LaneRequest;
  const home = process.env['HOME'];
  before(async () => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'cache/\n' });
    lane = await repo.make('api');
    mkdirSync(join(lane.path, 'cache'));
    mkdirSync(join(lane.path, 'folder'));
    for (const name of ['file', 'cache/ignored']) writeFileSync(join(lane.path, name), name);
    if (process.getuid?.() !== 0) return;
    for (const name of ['.', ...readdirSync(repo.folder, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(repo.folder, name), nobody, nobody);
    }
    process.env['HOME'] = repo.folder;
    process.seteuid?.(nobody);
  });
  after(() => {
    if (process.getuid?.() === 0) process.seteuid?.(0);
    process.env['HOME'] = home;
    repo.remove();
  });

  for (const name of ['file', 'cache/ignored', 'folder']) {
    it(`is no rescue and names it: ${name}; readable, it is one`, async () => {
      chmodSync(join(lane.path, name), 0);
      await rejectsWith(repo.rescue(lane), 'not_accessible', join(lane.path, name));
      chmodSync(join(lane.path, name), 0o700);
      assert.equal((await repo.rescue(lane)).archive?.files, 1);
    });
  }
});
