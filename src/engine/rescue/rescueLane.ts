import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { writeArchive } from './archive.ts';
import { toText } from './byteNames.ts';
import { chooseIgnored, type IgnoredChoice } from './ignoredBudget.ts';
import { importBlobs } from './importBlobs.ts';
import { indexObjects } from './indexObjects.ts';
import { openLaneFolder, type LaneFolder } from './laneFolder.ts';
import { firstDifference, readLaneState, type LaneState } from './laneState.ts';
import { archiveFile, archiveOf, parts, type Manifest } from './manifest.ts';
import { namedObjects, type NamedObjects } from './namedObjects.ts';
import { writeCommit } from './rescueCommit.ts';
import { rescueContent, type RescueContent } from './rescueContent.ts';
import { notKept } from './notKept.ts';
import { createRescueRef, deleteRescueRef, stampOf } from './rescueRef.ts';
import { verifyArchive, verifyCommit } from './verifyRescue.ts';
import { writeTree } from './writeTree.ts';

export interface RescueRequest {
  root: string;
  commonDir: string;
  /** The lane's worktree. */
  path: string;
  branch: string;
  run: string;
  lane: string;
  nonce: string;
  /** Commit that the lane was made at. */
  base: string;
  why: Manifest['why'];
  /** Paths relative to the worktree that we put there: copied and linked files, dependency folders. */
  leaveOut: readonly string[];
  /** Bytes of ignored files that are kept at most. */
  archiveLimit: number;
  now: Date;
}

export interface Rescue {
  ref: string;
  commit: string;
  /** RFC 3339, UTC. */
  at: string;
  why: RescueRequest['why'];
  /** Where the branch stood; null when it was gone. */
  tip: string | null;
  /** Commit of HEAD; where there was none, of the branch, else the lane's base. */
  head: string;
  /** Files and links that HEAD has not, or not so. */
  files: number;
  /** What they hold. */
  bytes: number;
  /** The ignored files that were kept. */
  archive: { file: string; bytes: number; files: number } | null;
  /** Paths that were left out on purpose. */
  leftOut: string[];
  /** What could not be kept. Whether the lane may go all the same is the caller's decision. */
  notKept: { path: string; reason: string }[];
}

/**
 * Keeps everything in a lane under a new ref, reads it back and compares it with the lane. Nothing in the lane is
 * changed, neither index nor stash nor reflog, and nothing is deleted. No process may write in the lane meanwhile.
 * @throws AgentKitError `conflict` naming the first thing that something changed meanwhile, `not_accessible` for what
 * cannot be read, `not_found` when git has no such worktree, `no_space`, `git_failed`; there is no rescue then
 */
export async function rescueLane(request: RescueRequest): Promise<Rescue> {
  const lane = await openLaneFolder(request);
  const state = await readLaneState(lane, request.leaveOut);
  const named = await namedObjects(lane, state);
  const choice = chooseIgnored(state.worktree.ignored, request.archiveLimit);
  const archiveName = `${request.lane.replaceAll('/', '~')}-${stampOf(request.now)}-${randomBytes(4).toString('hex')}.tar`;
  const file = archiveFile(request.commonDir, archiveName);
  let made: { ref: string; commit: string } | null = null;
  try {
    const archive = await keepIgnored(lane, choice, file, request.now);
    const { content, manifest } = await keepFiles(lane, request, state, named, choice, archive);
    const tree = await writeTree(lane.root, content.leaves, content.folders);
    const heads = [state.head, state.tip].filter((commit) => commit !== null);
    const parents = [...new Set([...heads, ...(heads.length === 0 ? [request.base] : []), ...named.commits])];
    const message = `Rescue of lane ${request.lane} of run ${request.run}\n\nWhy: ${request.why}\n`;
    const commit = await writeCommit(lane, { tree, parents, message, now: request.now });
    made = { ref: await createRescueRef(lane.root, request.lane, request.now, commit), commit };
    await verifyCommit(lane, commit, tree, content);
    await verifySame(lane, request, state);
    if (archive !== null) await verifyArchive(lane, file, archive.sha256, choice.archived);
    return { ...made, ...summary(lane, manifest) };
  } catch (error) {
    if (made !== null) await deleteRescueRef(lane.root, made.ref, made.commit);
    await rm(file, { force: true });
    throw error;
  }
}

async function keepIgnored(
  lane: LaneFolder,
  choice: IgnoredChoice,
  file: string,
  now: Date,
): Promise<Manifest['archive']> {
  if (choice.archived.length === 0) return null;
  const sha256 = await writeArchive(file, lane.path, choice.archived, now);
  return { file: basename(file), bytes: choice.bytes, files: choice.files, sha256 };
}

async function keepFiles(
  lane: LaneFolder,
  request: RescueRequest,
  state: LaneState,
  named: NamedObjects,
  choice: IgnoredChoice,
  archive: Manifest['archive'],
): Promise<{ content: RescueContent; manifest: Manifest }> {
  const content = await rescueContent(lane, state, named, await indexObjects(lane));
  const manifest: Manifest = {
    version: 1,
    run: request.run,
    lane: request.lane,
    branch: request.branch,
    base: request.base,
    why: request.why,
    at: request.now.toISOString(),
    path: request.path,
    admin: lane.admin,
    gone: state.worktree.gone,
    head: state.head,
    tip: state.tip,
    files: content.changed.files,
    bytes: content.changed.bytes,
    archive,
    left_out: state.worktree.leftOut.map(toText).sort(),
    not_kept: notKept(state.worktree, named, choice, lane.path),
    nested: state.worktree.nested.map(toText).sort(),
  };
  content.add(parts.manifest, Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`));
  await importBlobs(lane, content.sources);
  return { content, manifest };
}

async function verifySame(lane: LaneFolder, request: RescueRequest, before: LaneState): Promise<void> {
  const difference = firstDifference(before, await readLaneState(lane, request.leaveOut));
  if (difference === null) return;
  throw new AgentKitError(
    'conflict',
    `${difference} changed in ${lane.path} while the lane was kept; something still writes there. Stop it and try again`,
  );
}

function summary({ commonDir }: LaneFolder, manifest: Manifest): Omit<Rescue, 'ref' | 'commit'> {
  const { at, why, tip, files, bytes } = manifest;
  return {
    at,
    why,
    tip,
    head: manifest.head ?? tip ?? manifest.base,
    files,
    bytes,
    archive: archiveOf(commonDir, manifest),
    leftOut: manifest.left_out,
    notKept: manifest.not_kept,
  };
}
