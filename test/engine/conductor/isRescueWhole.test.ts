import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRescueWhole } from '../../../src/engine/conductor/isRescueWhole.ts';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';
import { runGit } from '../git/tempRepository.ts';
import { rescueFixture, type RescueFixture } from '../rescue/rescueFixture.ts';

describe('whether a rescue still holds all of its lane', () => {
  let repo: RescueFixture;
  let count = 0;

  before(() => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'secret\n' });
  });
  after(() => repo.remove());

  /** Rescues a lane in the middle of a rebase, with a submodule's repository, and asks again after `act`. */
  async function wholeAfter(
    act: (lane: LaneRequest, admin: string, archive: string) => void,
  ): Promise<boolean> {
    const lane = await repo.make(`lane${++count}`);
    const admin = repo.admin(lane.path);
    writeFileSync(join(lane.path, 'secret'), 'ignored\n');
    mkdirSync(join(admin, 'rebase-merge'));
    writeFileSync(join(admin, 'rebase-merge/git-rebase-todo'), 'pick\n');
    mkdirSync(join(admin, 'modules/lib/refs/heads'), { recursive: true });
    writeFileSync(join(admin, 'MERGE_MSG'), 'message\n');
    const { leftOut, notKept, ...made } = await repo.rescue(lane, { now: new Date() });
    act(lane, admin, made.archive!.file);
    const record = { ...made, nonce: lane.nonce, left_out: leftOut, not_kept: notKept };
    return isRescueWhole(lane, lane, record);
  }

  it('is so while nothing changed, and when git only read the lane', async () => {
    assert.equal(await wholeAfter(() => undefined), true);
    assert.equal(await wholeAfter(({ path }) => void runGit(path, ['--no-optional-locks', 'status'])), true);
  });

  it('is so when a removal that was cut off has moved the folder away', async () => {
    assert.equal(await wholeAfter(({ path }) => renameSync(path, `${path}.moved`)), true);
  });

  const changes: Record<string, (lane: LaneRequest, admin: string, archive: string) => void> = {
    'a file of the lane': ({ path }) => writeFileSync(join(path, 'README.md'), 'changed\n'),
    'the steps of a rebase': (_lane, admin) =>
      appendFileSync(join(admin, 'rebase-merge/git-rebase-todo'), 'exec new step\n'),
    "a submodule's repository": (_lane, admin) =>
      writeFileSync(join(admin, 'modules/lib/refs/heads/main'), 'a commit\n'),
    'a ref of the worktree alone': ({ path }) =>
      void runGit(path, ['update-ref', 'refs/worktree/mark', 'HEAD']),
    'a setting of the worktree alone': (_lane, admin) =>
      writeFileSync(join(admin, 'config.worktree'), '[a]\n\tb = c\n'),
    'the end of an operation': (_lane, admin) => rmSync(join(admin, 'MERGE_MSG')),
    'the branch, there and back again': ({ root, branch, base }) => {
      const other = runGit(root, ['commit-tree', '-p', base, '-m', 'other', `${base}^{tree}`]);
      runGit(root, ['update-ref', `refs/heads/${branch}`, other]);
      runGit(root, ['update-ref', `refs/heads/${branch}`, base]);
    },
    'the archive, which is gone': (_lane, _admin, archive) => rmSync(archive),
    'a rebase in a lane whose folder somebody deleted': ({ path }, admin) => {
      appendFileSync(join(admin, 'rebase-merge/git-rebase-todo'), 'exec new step\n');
      rmSync(path, { recursive: true });
    },
  };
  for (const [what, act] of Object.entries(changes)) {
    it(`is not so after a change of ${what}`, async () => assert.equal(await wholeAfter(act), false));
  }
});
