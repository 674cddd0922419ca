import { join } from 'node:path';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import { toText } from './byteNames.ts';
import { hashFiles } from './hashFiles.ts';
import { readIfThere } from './ifThere.ts';
import { isPlaceFile, type LaneFolder } from './laneFolder.ts';
import { scanFolder, type Entry } from './scanFolder.ts';
import { scanWorktree, type Worktree } from './scanWorktree.ts';

/** All of a lane at one moment: its files, and what git keeps of it. */
export interface LaneState {
  worktree: Worktree;
  /** Ids of the raw bytes of the worktree's kept files and links, by path. */
  ids: Map<string, string>;
  /** What is in the admin folder, but for what belongs to its place. */
  admin: Entry[];
  adminIds: Map<string, string>;
  /** Commit of HEAD; null when there is none. */
  head: string | null;
  /** Where the lane's branch stands; null when somebody deleted it. */
  tip: string | null;
  /** The branch's reflog; null when it has none. */
  branchLog: Buffer | null;
}

export async function readLaneState(lane: LaneFolder, leaveOut: readonly string[]): Promise<LaneState> {
  const worktree = await scanWorktree(lane, leaveOut);
  const kept = await readGitState(lane);
  return {
    worktree,
    ids: await hashFiles(lane, lane.path, worktree.kept),
    ...kept,
    adminIds: await hashFiles(lane, lane.admin, kept.admin),
  };
}

/** What git keeps of a lane, without its content. */
export type GitState = Pick<LaneState, 'admin' | 'head' | 'tip' | 'branchLog'>;

export async function readGitState(lane: LaneFolder): Promise<GitState> {
  const admin = await scanFolder(lane.admin, ({ path }) => (isPlaceFile(path) ? 'skip' : 'keep'));
  const head = await git(lane.admin, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    env: lane.env,
    okCodes: [0, 1],
  });
  return {
    admin,
    head: head.code === 0 ? head.stdout.toString('latin1').trim() : null,
    tip: await tipOf(lane.root, lane.branch),
    branchLog: await readIfThere(branchLogFile(lane.commonDir, lane.branch)),
  };
}

/** Where git keeps a branch's reflog. */
export function branchLogFile(commonDir: string, branch: string): string {
  return join(commonDir, 'logs', 'refs', 'heads', branch);
}

/** The first thing in which two readings of a lane differ, in words; null when they are the same. */
export function firstDifference(before: LaneState, after: LaneState): string | null {
  if (before.worktree.gone !== after.worktree.gone) return 'its folder';
  return (
    differentEntry(before.worktree.kept, before.ids, after.worktree.kept, after.ids) ??
    differentEntry(ignoredOf(before), new Map(), ignoredOf(after), new Map()) ??
    differentEntry(before.admin, before.adminIds, after.admin, after.adminIds) ??
    (before.head === after.head ? null : 'HEAD') ??
    (before.tip === after.tip ? null : 'the branch') ??
    (same(before.branchLog, after.branchLog) ? null : "the branch's reflog")
  );
}

function ignoredOf({ worktree }: LaneState): Entry[] {
  return worktree.ignored.map(({ entry }) => entry);
}

/** The first entry that only one of two lists has, or that differs, by name. */
export function differentEntry(
  before: readonly Entry[],
  idsBefore: ReadonlyMap<string, string>,
  after: readonly Entry[],
  idsAfter: ReadonlyMap<string, string>,
): string | null {
  for (let n = 0; n < Math.max(before.length, after.length); n += 1) {
    const one = before[n];
    const other = after[n];
    if (one === undefined || other === undefined || one.path !== other.path) {
      const paths = [one?.path, other?.path].filter((path) => path !== undefined).sort();
      return toText(paths[0] ?? '');
    }
    const equal =
      one.kind === other.kind &&
      one.mode === other.mode &&
      one.size === other.size &&
      one.target === other.target &&
      idsBefore.get(one.path) === idsAfter.get(one.path);
    if (!equal) return toText(one.path);
  }
  return null;
}

function same(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
