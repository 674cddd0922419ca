import { dirname, join } from 'node:path';
import { messageOf } from '../../core/agentKitError.ts';
import { adminFolderOf, readText } from '../git/adminFolders.ts';
import { laneReason } from '../git/marker.ts';
import { git } from '../git/plumbing.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { listWorktrees } from '../git/worktreeList.ts';
import { commitsOfLane, countBeyond } from './commitsOfLane.ts';
import { entryAt } from './entryAt.ts';
import { entryGaps } from './entryGaps.ts';
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
  /** Those of which the entry held what nothing else has; it went after a rescue of that. */
  rescued: { lane: OwnFolder; rescue: string | null }[];
  kept: { path: string; why: string }[];
}

export interface PruneRequest extends Repository {
  /** Nonces of the lanes that a run still works with, whose entry is needed to make them again. */
  open: ReadonlySet<string>;
  /** Only tells what would be dropped; `rescue` is not called then. */
  dryRun: boolean;
  /** Keeps what git knows of a lane, and names the rescue. */
  rescue: (lane: OwnFolder) => Promise<string>;
}

/**
 * Drops git's entries of lanes of ours whose folder was deleted outside of AgentKit; never another worktree's entry.
 * What only an entry holds is rescued before.
 */
export async function pruneGoneLanes(request: PruneRequest): Promise<Pruned> {
  return takeTurn(request.commonDir, async () => {
    const result: Pruned = { pruned: [], rescued: [], kept: [] };
    for (const own of await listOwnFolders(request.commonDir)) {
      if (request.open.has(own.nonce) || (await entryAt(own.path)) !== null) continue;
      try {
        await prune(request, own, result);
      } catch (error) {
        result.kept.push({ path: own.path, why: messageOf(error) });
      }
    }
    return result;
  });
}

async function prune(request: PruneRequest, own: OwnFolder, result: Pruned): Promise<void> {
  const why = await whyKept(own);
  if (why !== null) return void result.kept.push({ path: own.path, why });
  const gaps = await gapsOf(request, own);
  // A merge is built anew, and what was never complete nobody has worked in.
  if (gaps.length > 0 && (isKeptForMerges(own) || !own.prepared))
    return void result.kept.push({ path: own.path, why: gaps.join('. ') });
  const rescue = gaps.length > 0 && !request.dryRun ? await request.rescue(own) : null;
  if (!request.dryRun) await dropEntry(request.root, own);
  if (gaps.length > 0) result.rescued.push({ lane: own, rescue });
  else result.pruned.push(own.path);
}

async function whyKept(own: OwnFolder): Promise<string | null> {
  const parent = dirname(own.path);
  if ((await entryAt(parent)) === null) {
    return `${parent} is missing as a whole; if it is on a drive, connect that, else make the folder again`;
  }
  const reason = await readText(join(own.admin, 'locked'));
  if (reason !== null && reason !== laneReason(own)) {
    return `it is locked by somebody else with the reason "${reason}"; unlock it: git worktree unlock "${own.path}"`;
  }
  return null;
}

/** What would be lost with git's entry of a folder that is gone. */
async function gapsOf({ root, commonDir }: Repository, own: OwnFolder): Promise<string[]> {
  const { heads, others } = await commitsOfLane({ root, commonDir, branch: own.branch ?? '' }, own.admin);
  const lost = await countBeyond(root, [...heads, ...others]);
  const commits = lost === 0 ? [] : [`${lost} commits stand only there; rescue the lane first`];
  if (isKeptForMerges(own) || !own.prepared) return commits;
  return [...commits, ...(await entryGaps(own.path, own.admin))];
}

async function dropEntry(root: string, { path, admin }: OwnFolder): Promise<void> {
  if ((await entryAt(join(admin, 'locked'))) !== null) await git(root, ['worktree', 'unlock', path]);
  await git(root, ['worktree', 'remove', path]);
}

/** The worktree in which merges into a target are built and judged is no lane. */
function isKeptForMerges({ lane }: OwnFolder): boolean {
  return lane.startsWith('.merge-');
}
