import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { runGit } from '../git/tempRepository.ts';
import { status } from './laneCase.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

/** Git notes such a file in the index as empty, with the id of an empty file that nothing else may have. */
describe('a file that is only intended to be added', () => {
  let repo: RescueFixture;

  before(() => {
    repo = rescueFixture();
  });
  after(() => repo.remove());

  async function rescued(id: string) {
    const lane = await repo.make(id);
    writeFileSync(join(lane.path, 'new.txt'), 'new\n');
    // Without any unusual permission, the list of those would be such an empty file.
    chmodSync(join(lane.path, 'new.txt'), 0o600);
    runGit(lane.path, ['add', '--intent-to-add', 'new.txt']);
    const rescue = await repo.rescue(lane);
    repo.discard(lane);
    return { lane, rescue };
  }

  /** Takes out of a rescue what it holds by id, as one made by an earlier version has it. */
  function withoutObjects(ref: string): void {
    const { root } = repo;
    const lines = runGit(root, ['ls-tree', ref]).split('\n');
    const kept = lines.filter((line) => !line.endsWith('\tobjects'));
    assert.equal(kept.length, lines.length - 1);
    const call = (args: string[], input: string) =>
      execFileSync('git', args, { cwd: root, input, encoding: 'utf8' }).trim();
    const tree = call(['mktree'], `${kept.join('\n')}\n`);
    const parent = runGit(root, ['rev-parse', `${ref}^`]);
    const own = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
    repo.git(['update-ref', ref, call([...own, 'commit-tree', tree, '-p', parent], 'old\n')]);
  }

  for (const made of ['this version', 'an earlier one']) {
    it(`comes back from a rescue of ${made} without breaking git's upkeep`, async () => {
      const { lane, rescue } = await rescued(made.split(' ')[1]!);
      const empty = runGit(repo.root, ['hash-object', '--stdin']);
      if (made === 'an earlier one') withoutObjects(rescue.ref);
      repo.clean();
      const isThere = repo.git(['cat-file', '--batch-check', '--batch-all-objects']).includes(empty);
      assert.equal(isThere, made === 'this version');
      await restoreRescue(repo.restoreRequest(rescue, lane));
      assert.ok(existsSync(join(lane.path, 'new.txt')));
      assert.equal(status(lane.path), ' A new.txt');
      repo.git(['update-ref', '-d', rescue.ref]);
      repo.clean();
      repo.git(['fsck', '--full', '--strict']);
      repo.discard(lane);
    });
  }
});
