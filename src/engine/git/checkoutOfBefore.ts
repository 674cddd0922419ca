import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { pidsInside } from '../process/pidsInside.ts';
import { platform } from '../process/platform/platform.ts';
import type { LanePlace } from './addWorktree.ts';
import { adminFolderAt } from './adminFolders.ts';
import { currentBranch, tipOf } from './resolveBase.ts';
import { isMarkedAs, readMarkerIn } from './marker.ts';
import { git } from './plumbing.ts';
import { realPathOf } from './realPathOf.ts';

/** How often it is looked whether it has ended, in milliseconds. */
const look = 100;

/** Whether the making of this very lane was cut off before all was there. */
export async function isHalfMade(lane: Omit<LanePlace, 'base'>): Promise<boolean> {
  const admin = await adminFolderAt(lane.commonDir, lane.path);
  if (admin === null || !(await isMarkedAs(admin, lane))) return false;
  return (await readMarkerIn(admin))?.prepared !== true;
}

/**
 * Waits until the git of an owner that was killed has ended in a lane that is half made: it goes on without its owner,
 * and what it writes would come into whatever is made there next.
 * @param patienceMs how long at most
 * @throws AgentKitError `conflict` naming the process when it has not ended by then
 */
export async function whenCheckoutHasEnded(
  lane: Omit<LanePlace, 'base'>,
  patienceMs = 60_000,
): Promise<void> {
  if (!(await isHalfMade(lane))) return;
  const folder = await realPathOf(lane.path);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const pid = gitIn(folder);
    if (pid === undefined) return;
    if (performance.now() > deadline)
      throw new AgentKitError(
        'conflict',
        `An earlier checkout still works in ${lane.path} (process ${pid}); wait until it has ended, or end it, then try again`,
      );
    await pause(look);
  }
}

/** Whether a checkout that was cut off has put all files of a commit there nevertheless. */
export async function isFilled({ root, path, branch }: LanePlace, commit: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const show = ['--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=none'];
  const status = await git(path, ['status', ...show], { okCodes: [0, 128] });
  if (status.code !== 0 || status.stdout.length > 0) return false;
  return (await currentBranch(path)) === branch && (await tipOf(root, branch)) === commit;
}

function gitIn(folder: string): number | undefined {
  const isGit = (pid: number) => /^git(-|$)/.test(basename(platform.command(pid)[0] ?? ''));
  return [...pidsInside(folder)].find(isGit);
}
