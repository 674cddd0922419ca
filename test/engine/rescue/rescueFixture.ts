import { createLane, type LaneRequest } from '../../../src/engine/git/createLane.ts';
import { rescueLane, type Rescue, type RescueRequest } from '../../../src/engine/rescue/rescueLane.ts';
import type { RestoreRequest } from '../../../src/engine/rescue/restoreRescue.ts';
import { runGit, tempRepository, type TempRepository } from '../git/tempRepository.ts';

/** A repository with lanes that are rescued, thrown away and restored. */
export interface RescueFixture extends TempRepository {
  /** Makes a lane. */
  make(id: string): Promise<LaneRequest>;
  rescueRequest(lane: LaneRequest, more?: Partial<RescueRequest>): RescueRequest;
  rescue(lane: LaneRequest, more?: Partial<RescueRequest>): Promise<Rescue>;
  /** Removes a lane with its branch as ruthlessly as git can. */
  discard(lane: LaneRequest): void;
  /** Drops everything that nothing refers to. */
  clean(): void;
  restoreRequest(rescue: Rescue, lane: LaneRequest, more?: Partial<RestoreRequest>): RestoreRequest;
  /** The admin folder of a worktree. */
  admin(path: string): string;
}

export const rescueTime = new Date('2026-11-30T09:55:05.123Z');

export function rescueFixture(): RescueFixture {
  const repo = tempRepository();
  const make = async (id: string) => {
    const lane = repo.lane(id);
    await createLane(lane);
    return lane;
  };
  const rescueRequest = (lane: LaneRequest, more: Partial<RescueRequest> = {}): RescueRequest => ({
    root: lane.root,
    commonDir: lane.commonDir,
    path: lane.path,
    branch: lane.branch,
    run: lane.run,
    lane: lane.lane,
    nonce: lane.nonce,
    base: lane.base,
    why: 'discard',
    leaveOut: [],
    archiveLimit: 1024 * 1024,
    now: rescueTime,
    ...more,
  });
  return {
    ...repo,
    make,
    rescueRequest,
    rescue: (lane, more) => rescueLane(rescueRequest(lane, more)),
    discard: (lane) => {
      repo.git(['worktree', 'remove', '--force', '--force', lane.path]);
      const there = repo.git(['for-each-ref', `refs/heads/${lane.branch}`]) !== '';
      if (there) repo.git(['update-ref', '-d', `refs/heads/${lane.branch}`]);
    },
    clean: () => {
      repo.git(['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
      repo.git(['gc', '--quiet', '--prune=now']);
    },
    restoreRequest: ({ ref }, lane, more = {}) => ({
      root: lane.root,
      commonDir: lane.commonDir,
      ref,
      laneRoot: repo.lanes,
      run: 'run2',
      lane: lane.lane,
      nonce: `again-${lane.lane}`,
      branch: lane.branch,
      path: lane.path,
      ...more,
    }),
    admin: (path) => runGit(path, ['rev-parse', '--absolute-git-dir']),
  };
}
