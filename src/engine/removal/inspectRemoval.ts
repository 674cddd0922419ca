import { commitsOfLane, countBeyond } from './commitsOfLane.ts';
import { countIgnored } from './countIgnored.ts';
import { isMerged } from './isMerged.ts';
import type { LaneProcess } from './processesIn.ts';
import { proveLane } from './proveLane.ts';
import { submodulesOf, type LaneSubmodule } from './submodulesOf.ts';
import { uncommittedIn } from './uncommittedIn.ts';
import { whoWorksIn } from './whoWorksIn.ts';

/** The lane to remove, as its run's journal knows it. */
export interface RemovalRequest {
  /** Main checkout. */
  root: string;
  commonDir: string;
  /** The checkout or folder that the caller works in; never removed. */
  checkout: string;
  /** The lane's folder, absolute. */
  path: string;
  branch: string;
  run: string;
  lane: string;
  nonce: string;
  /** Commit that the lane began at. */
  base: string;
  /** Branch that it is merged into; null when none was chosen. */
  target: string | null;
}

/** What removing a lane would take away. */
export interface RemovalPreview {
  path: string;
  branch: string;
  /** Whether the folder is there. */
  exists: boolean;
  /** Whether git lists it. */
  listed: boolean;
  /** Tracked paths that differ from HEAD, in the index or the folder. */
  dirty: string[];
  untracked: string[];
  ignored: { files: number; bytes: number };
  /** Commits of its branch and HEAD that no other ref has, neither a local nor a remote one. */
  unpushed: number;
  /** Whether the target lacks content of them: a squash or a rebase of it counts as merged. */
  unmerged: boolean;
  /** What still works inside, or carries the lane's mark. */
  processes: LaneProcess[];
  /** Other checkouts that lie inside. */
  nested: string[];
  /** Reason of a lock that is not ours, empty when none was given; null without such a lock. */
  lock: string | null;
  submodules: LaneSubmodule[];
  /** Those of `whyNot` that put in doubt what lies there, or that it may go at all. */
  refusals: string[];
  /** Why it cannot be removed even after a rescue, each with the cure. */
  whyNot: string[];
}

/**
 * Looks at everything that counts before a lane is removed. Changes nothing.
 * @throws AgentKitError `git_failed` or `not_accessible` when something of it cannot be read
 */
export async function inspectRemoval(request: RemovalRequest): Promise<RemovalPreview> {
  const { path, branch } = request;
  const proof = await proveLane(request);
  const { exists, listed, lock, nested, refusals } = proof;
  const none = { path, branch, exists, listed, lock, nested, refusals };
  // Of a folder that is not proven to be this lane nothing is read: it may be anybody's.
  const folder = proof.isLane ? proof.path : null;
  const commits = await commitsOfLane(request, proof.admin);
  const heads = commits.heads;
  const [unpushed, merged] = await Promise.all([
    countBeyond(request.root, heads, [`refs/heads/${branch}`]),
    Promise.all(heads.map((head) => isMerged(request, head))),
  ]);
  const { dirty, untracked } = folder === null ? { dirty: [], untracked: [] } : await uncommittedIn(folder);
  const working = folder === null ? { processes: [], reasons: [] } : whoWorksIn(folder, request);
  return {
    ...none,
    dirty,
    untracked,
    ignored: folder === null ? { files: 0, bytes: 0 } : await countIgnored(folder),
    unpushed,
    unmerged: merged.includes(false),
    processes: working.processes,
    submodules: await submodulesOf(folder, proof.admin),
    whyNot: [...refusals, ...working.reasons],
  };
}
