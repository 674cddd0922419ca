import { dirname, join } from 'node:path';
import { adminFolderOf, readText } from '../git/adminFolders.ts';
import { laneReason } from '../git/marker.ts';
import { git } from '../git/plumbing.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { listWorktrees } from '../git/worktreeList.ts';
import { commitsOfLane, countBeyond } from './commitsOfLane.ts';
import { entryAt } from './entryAt.ts';
import { listOwnFolders, type OwnFolder } from './laneIdentity.ts';

/** A worktree of ours that no journal tells of. */
export interface UnknownLane {
  path: string;
  branch: string;
  run: string;
  lane: string;
  nonce: string;
  /** Whether its making was complete once; else somebody may be making it now. */
  prepared: boolean;
}

interface Repository {
  root: string;
  commonDir: string;
}

/** The lanes whose folder and marker are there though their nonce is not known, as after a lost registry. */
export async function findUnknownLanes(
  repository: Repository & { known: ReadonlySet<string> },
): Promise<UnknownLane[]> {
  const { root, commonDir, known } = repository;
  const listed = new Set((await listWorktrees(root)).slice(1).map((worktree) => worktree.path));
  const unknown: UnknownLane[] = [];
  for (const own of await listOwnFolders(commonDir)) {
    const { path, branch, run, lane, nonce, prepared } = own;
    if (known.has(nonce) || branch === null || isKeptForMerges(own) || !listed.has(path)) continue;
    const admin = await adminFolderOf(path);
    if (admin === null || (await realPathOf(admin)) !== (await realPathOf(own.admin))) continue;
    unknown.push({ path, branch, run, lane, nonce, prepared });
  }
  return unknown;
}

export interface Pruned {
  /** Folders whose entry git had kept, and has no more. */
  pruned: string[];
  kept: { path: string; why: string }[];
}

/**
 * Drops git's entries of lanes of ours whose folder was deleted outside of AgentKit; never another worktree's entry.
 * @param open nonces of the lanes that a run still works with, whose entry is needed to make them again
 */
export async function pruneGoneLanes(
  repository: Repository & { open: ReadonlySet<string> },
): Promise<Pruned> {
  return takeTurn(repository.commonDir, async () => {
    const result: Pruned = { pruned: [], kept: [] };
    for (const own of await listOwnFolders(repository.commonDir)) {
      if (repository.open.has(own.nonce) || (await entryAt(own.path)) !== null) continue;
      const why = await whyKept(repository, own);
      if (why !== null) {
        result.kept.push({ path: own.path, why });
        continue;
      }
      await dropEntry(repository.root, own);
      result.pruned.push(own.path);
    }
    return result;
  });
}

async function whyKept({ root, commonDir }: Repository, own: OwnFolder): Promise<string | null> {
  const parent = dirname(own.path);
  if ((await entryAt(parent)) === null) {
    return `${parent} is missing as a whole; if it is on a drive, connect that, else make the folder again`;
  }
  const reason = await readText(join(own.admin, 'locked'));
  if (reason !== null && reason !== laneReason(own)) {
    return `it is locked by somebody else with the reason "${reason}"; unlock it: git worktree unlock "${own.path}"`;
  }
  const { heads, others } = await commitsOfLane({ root, commonDir, branch: own.branch ?? '' }, own.admin);
  const lost = await countBeyond(root, [...heads, ...others]);
  return lost === 0 ? null : `${lost} commits stand only there; rescue the lane first`;
}

async function dropEntry(root: string, { path, admin }: OwnFolder): Promise<void> {
  if ((await entryAt(join(admin, 'locked'))) !== null) await git(root, ['worktree', 'unlock', path]);
  await git(root, ['worktree', 'remove', path]);
}

/** The worktree in which merges into a target are built and judged is no lane. */
function isKeptForMerges({ lane }: OwnFolder): boolean {
  return lane.startsWith('.merge-');
}
