import { isAbsolute, join } from 'node:path';
import { adminFolderAt, adminFolderOf, readText } from '../git/adminFolders.ts';
import { laneReason, makerOf, readMarkerIn } from '../git/marker.ts';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { listWorktrees } from '../git/worktreeList.ts';
import { entryAt } from './entryAt.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import { listOwnFolders } from './laneIdentity.ts';
import { placeRefusals } from './placeRefusals.ts';

/** Whether a folder is the lane that is to be removed, as git, our marker and the file system say. */
export interface LaneProof {
  /** Git's folder of the lane's worktree; null when git does not know the lane any more. */
  admin: string | null;
  /** The lane's folder as git lists it, links resolved; as requested when git does not list it. */
  path: string;
  /** Whether anything lies at the path. */
  exists: boolean;
  listed: boolean;
  /** Whether what lies at the path is this very lane. */
  isLane: boolean;
  /** Reason of a lock that is not ours; null without one. */
  lock: string | null;
  /** Other checkouts that lie inside. */
  nested: string[];
  /** Why nothing may be removed there, each with the cure. */
  refusals: string[];
}

export async function proveLane(request: RemovalRequest): Promise<LaneProof> {
  const { path, root, commonDir } = request;
  const proof: LaneProof = {
    admin: null,
    path,
    exists: false,
    listed: false,
    isLane: false,
    lock: null,
    nested: [],
    refusals: [],
  };
  if (!isAbsolute(path)) return { ...proof, refusals: [`The lane folder ${path} must be an absolute path`] };
  const entry = await entryAt(path);
  const exists = entry !== null;
  const places = await placeRefusals(request);
  const own = (await listOwnFolders(commonDir)).find((folder) => laneReason(folder) === laneReason(request));
  const atPath = await adminFolderAt(commonDir, path);
  if (atPath !== null && atPath !== own?.admin) {
    const listed = await isListed(root, path);
    return { ...proof, exists, listed, refusals: [...places, await foreignWorktree(path, atPath)] };
  }
  if (own === undefined) {
    const unknown = `Git does not list ${path} as a worktree of this repository, so it is left alone; look at what it is and delete it by hand`;
    return { ...proof, exists, refusals: exists ? [...places, unknown] : places };
  }
  if (atPath === null) {
    const moved = `The lane was moved to ${own.path}; move it back: git worktree move "${own.path}" "${path}"`;
    return { ...proof, exists, listed: true, refusals: [...places, moved] };
  }
  const { admin } = own;
  const lock = await foreignLock(admin, laneReason(request));
  const nested = await nestedCheckouts(root, own.path);
  const whole = exists ? await differsFromLane(entry.isDirectory(), path, own) : [];
  const refusals = [
    ...places,
    ...whole,
    ...(await otherBranch(admin, request)),
    ...(lock === null ? [] : [lockedBy(own.path, lock)]),
    ...nested.map((inside) => holdsCheckout(own.path, inside)),
  ];
  const listed = await isListed(root, own.path);
  if (!listed)
    refusals.push(`Git does not list ${own.path} any more; run: git worktree repair "${own.path}"`);
  const isLane = exists && whole.length === 0;
  return { admin, path: own.path, exists, listed, isLane, lock, nested, refusals };
}

/** Whether git lists a linked worktree there; the first of its list is the main checkout. */
async function isListed(root: string, path: string): Promise<boolean> {
  const real = await realPathOf(path);
  for (const worktree of (await listWorktrees(root)).slice(1)) {
    if (worktree.path === path || (await realPathOf(worktree.path)) === real) return true;
  }
  return false;
}

async function foreignWorktree(path: string, admin: string): Promise<string> {
  const owner = await makerOf(admin);
  return owner === null
    ? `${path} is a worktree that AgentKit did not make; remove it by hand: git worktree remove "${path}"`
    : `${path} belongs to another lane (${owner}) with a mark of its own; remove that lane by its own name`;
}

/** The folder may have been replaced since: by a file, by another repository, by a copy. */
async function differsFromLane(
  isFolder: boolean,
  path: string,
  own: { admin: string; path: string },
): Promise<string[]> {
  if (isFolder && (await realPathOf(path)) === own.path) {
    const admin = await adminFolderOf(own.path);
    if (admin !== null && (await realPathOf(admin)) === (await realPathOf(own.admin))) return [];
  }
  return [
    `${path} is not the lane's worktree any more: its .git file does not lead to ${own.admin}; if it is the lane, run: git worktree repair "${path}"; else move it away`,
  ];
}

/** What is checked must be what is deleted. */
async function otherBranch(admin: string, { branch, lane }: RemovalRequest): Promise<string[]> {
  const marker = await readMarkerIn(admin);
  if (marker === null || marker.branch === branch) return [];
  return [`Lane ${lane} was made for the branch ${marker.branch}, not for ${branch}; name that branch`];
}

async function foreignLock(admin: string, ours: string): Promise<string | null> {
  const reason = await readText(join(admin, 'locked'));
  return reason === ours ? null : reason;
}

function lockedBy(path: string, reason: string): string {
  const why = reason === '' ? 'without a reason' : `with the reason "${reason}"`;
  return `${path} is locked by somebody else ${why}; unlock it: git worktree unlock "${path}"`;
}

async function nestedCheckouts(root: string, path: string): Promise<string[]> {
  const inside: string[] = [];
  for (const worktree of await listWorktrees(root)) {
    const real = await realPathOf(worktree.path);
    if (real !== path && isInside(real, path) && (await entryAt(real)) !== null) inside.push(worktree.path);
  }
  return inside;
}

function holdsCheckout(path: string, inside: string): string {
  return `The checkout ${inside} lies inside ${path}; move it out: git worktree move "${inside}" NEW-FOLDER, or remove it first`;
}
