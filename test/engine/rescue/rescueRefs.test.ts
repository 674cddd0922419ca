import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';
import { dropRescue } from '../../../src/engine/rescue/dropRescue.ts';
import { ensureRescueRefs } from '../../../src/engine/rescue/ensureRescueRefs.ts';
import { listRescues } from '../../../src/engine/rescue/listRescues.ts';
import type { Rescue } from '../../../src/engine/rescue/rescueLane.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

describe('refs of rescues', () => {
  let repo: RescueFixture;
  let lane: LaneRequest;
  let first: Rescue;
  let second: Rescue;
  before(async () => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'cache/\n' });
    lane = await repo.make('api');
    first = await repo.rescue(lane);
    mkdirSync(join(lane.path, 'cache'));
    writeFileSync(join(lane.path, 'cache/notes'), 'notes');
    writeFileSync(join(lane.path, 'README.md'), 'more\n');
    second = await repo.rescue(lane, { why: 'remove', now: new Date('2026-11-30T10:00:00Z') });
  });
  after(() => repo.remove());

  const commitOf = (ref: string) => repo.git(['for-each-ref', '--format=%(objectname)', ref]);

  it('are listed with what they keep, the newest first, and nothing that is no rescue', async () => {
    repo.git(['update-ref', 'refs/agentkit/rescue/fake/1', 'HEAD']);
    const blob = repo.git(['rev-parse', 'HEAD:README.md']);
    repo.git(['update-ref', 'refs/agentkit/rescue/fake/2', blob]);
    assert.deepEqual(await listRescues(repo.root), [
      {
        ref: second.ref,
        commit: second.commit,
        run: 'run1',
        lane: 'api',
        at: '2026-11-30T10:00:00.000Z',
        why: 'remove',
        files: 1,
        bytes: 5,
        archive: second.archive,
      },
      {
        ref: first.ref,
        commit: first.commit,
        run: 'run1',
        lane: 'api',
        at: first.at,
        why: 'discard',
        files: 0,
        bytes: 0,
        archive: null,
      },
    ]);
    repo.git(['update-ref', '-d', 'refs/agentkit/rescue/fake/1']);
    repo.git(['update-ref', '-d', 'refs/agentkit/rescue/fake/2']);
  });

  it('are made again when somebody deleted, moved or redirected them, and left alone when not', async () => {
    const known = [first, second];
    assert.deepEqual(await ensureRescueRefs(repo.root, known), []);
    repo.git(['update-ref', '-d', first.ref]);
    repo.git(['update-ref', second.ref, 'HEAD']);
    assert.deepEqual(await ensureRescueRefs(repo.root, known), [first.ref, second.ref]);
    assert.equal(commitOf(first.ref), first.commit);
    assert.equal(commitOf(second.ref), second.commit);
    const main = repo.git(['rev-parse', 'main']);
    repo.git(['symbolic-ref', second.ref, 'refs/heads/main']);
    assert.deepEqual(await ensureRescueRefs(repo.root, known), [second.ref]);
    assert.equal(commitOf(second.ref), second.commit);
    assert.equal(repo.git(['rev-parse', 'main']), main);
    repo.git(['symbolic-ref', 'refs/heads/other', second.ref]);
  });

  it('of which the commit is lost are named, and the others made again', async () => {
    repo.git(['update-ref', '-d', first.ref]);
    const lost = { ref: 'refs/agentkit/rescue/api/lost', commit: '1'.repeat(40) };
    await rejectsWith(ensureRescueRefs(repo.root, [lost, first]), 'not_found', 'api/lost');
    assert.equal(commitOf(first.ref), first.commit);
  });

  it('are the only ones that are made or dropped', async () => {
    const main = repo.git(['rev-parse', 'main']);
    const { root, commonDir } = repo;
    await rejectsWith(dropRescue({ root, commonDir, ref: 'refs/heads/main' }), 'refused', 'refs/heads/main');
    const climbing = { ref: 'refs/agentkit/rescue/../../heads/main', commit: first.commit };
    await rejectsWith(ensureRescueRefs(root, [climbing]), 'refused');
    await rejectsWith(dropRescue({ root, commonDir, ref: climbing.ref }), 'refused');
    await rejectsWith(dropRescue({ root, commonDir, ref: 'refs/agentkit/rescue/api/none' }), 'not_found');
    assert.equal(repo.git(['rev-parse', 'main']), main);
  });

  it('go with their archive, and with nothing of another rescue', async () => {
    const { root, commonDir } = repo;
    assert.equal(existsSync(second.archive?.file ?? ''), true);
    await dropRescue({ root, commonDir, ref: second.ref });
    assert.equal(existsSync(second.archive?.file ?? ''), false);
    assert.equal(commitOf(second.ref), '');
    assert.equal(commitOf(first.ref), first.commit);
    assert.deepEqual(
      (await listRescues(root)).map(({ ref }) => ref),
      [first.ref],
    );
  });
});
