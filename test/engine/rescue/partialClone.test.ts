import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane } from '../../../src/engine/git/createLane.ts';
import { rescueLane } from '../../../src/engine/rescue/rescueLane.ts';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { runGit } from '../git/tempRepository.ts';
import { worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture } from './rescueFixture.ts';

describe('a lane of a clone that has only part of the objects', () => {
  it('is rescued and restored without its remote', async () => {
    const repo = rescueFixture();
    try {
      repo.commit({ 'far/away.txt': 'never fetched\n' });
      repo.git(['config', 'uploadpack.allowFilter', 'true']);
      const root = join(repo.folder, 'clone');
      runGit(repo.folder, ['clone', '-q', '--filter=blob:none', '--sparse', `file://${repo.root}`, root]);
      for (const [key, value] of [
        ['user.name', 'C'],
        ['user.email', 'c@example.com'],
      ] as const)
        runGit(root, ['config', key, value]);
      runGit(root, ['sparse-checkout', 'set', 'src']);
      const lane = repo.lane('api', { root, commonDir: join(root, '.git'), path: join(repo.lanes, 'api') });
      await createLane(lane);
      assert.equal(existsSync(join(lane.path, 'far')), false);
      renameSync(repo.root, `${repo.root} moved`);
      writeFileSync(join(lane.path, 'src/a.txt'), 'committed\n');
      runGit(lane.path, ['commit', '-qam', 'Work']);
      writeFileSync(join(lane.path, 'src/new'), 'new\n');
      const then = worktreeSnapshot(lane.path);
      const rescue = await rescueLane(repo.rescueRequest(lane));
      runGit(root, ['worktree', 'remove', '--force', '--force', lane.path]);
      runGit(root, ['update-ref', '-d', `refs/heads/${lane.branch}`]);
      await restoreRescue(repo.restoreRequest(rescue, lane));
      assert.deepEqual(worktreeSnapshot(lane.path), then);
      assert.equal(runGit(lane.path, ['status', '--porcelain']), '?? src/new');
    } finally {
      repo.remove();
    }
  });
});
