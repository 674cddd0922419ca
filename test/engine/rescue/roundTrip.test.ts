import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';
import type { Rescue } from '../../../src/engine/rescue/rescueLane.ts';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { runGit } from '../git/tempRepository.ts';
import { contentCases } from './contentCases.ts';
import { indexCases } from './indexCases.ts';
import { adminSnapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { operationCases } from './operationCases.ts';
import { repositoryCases } from './repositoryCases.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

const cases = [...indexCases, ...contentCases, ...operationCases, ...repositoryCases];

describe('a lane that is rescued, thrown away and restored is the same byte for byte', () => {
  let repo: RescueFixture;
  const states = new Map<string, { worktree: Record<string, string>; admin: Record<string, string> }>();
  const lanes: LaneRequest[] = [];
  const rescues: Rescue[] = [];

  before(async () => {
    repo = rescueFixture();
    repo.git(['config', 'filter.up.clean', 'tr a-z A-Z']);
    repo.git(['config', 'filter.up.smudge', 'tr A-Z a-z']);
    repo.git(['config', 'filter.fail.clean', 'false']);
    repo.git(['config', 'filter.fail.required', 'true']);
    repo.commit({
      '.gitignore': 'cache/\n.env\nnode_modules/\n',
      '.gitattributes':
        '*.txt text=auto\n*.up filter=up\n*.fail filter=fail\n*.id ident\nmixed.txt eol=crlf\n',
      'mixed.txt': 'one\n',
      'shout.up': 'QUIET\n',
      'ident.id': '$Id$\n',
    });
    const library = join(repo.folder, 'library');
    mkdirSync(library);
    runGit(library, ['init', '-q', '-b', 'main']);
    runGit(library, [
      '-c',
      'user.name=L',
      '-c',
      'user.email=l@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'L',
    ]);
    for (const [n, { prepare, id }] of cases.entries()) {
      const lane = await repo.make(id ?? `case${n}`);
      prepare(lane.path, repo);
      lanes.push(lane);
      states.set(lane.lane, {
        worktree: worktreeSnapshot(lane.path),
        admin: adminSnapshot(repo.admin(lane.path)),
      });
      rescues.push(await repo.rescue(lane));
    }
    for (const lane of lanes) repo.discard(lane);
    repo.clean();
    for (const lane of lanes) assert.equal(existsSync(lane.path), false);
    for (const [n, lane] of lanes.entries()) {
      const rescue = rescues[n];
      assert.ok(rescue);
      await restoreRescue(repo.restoreRequest(rescue, lane));
    }
  });
  after(() => repo.remove());

  for (const [n, { name, check }] of cases.entries()) {
    it(name, () => {
      const lane = lanes[n];
      const rescue = rescues[n];
      assert.ok(lane && rescue);
      const then = states.get(lane.lane);
      assert.deepEqual(worktreeSnapshot(lane.path), then?.worktree);
      assert.deepEqual(adminSnapshot(repo.admin(lane.path)), then?.admin);
      check?.(lane.path, rescue, repo);
    });
  }

  it('leaves a repository that is whole, and stays so when git cleans it', () => {
    repo.git(['fsck', '--full', '--strict']);
    repo.clean();
    repo.git(['fsck', '--full', '--strict']);
  });
});
