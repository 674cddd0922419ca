import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { writeMarker } from '../git/marker.ts';
import { git } from '../git/plumbing.ts';
import { isInside } from '../git/realPathOf.ts';
import { sparseState } from '../git/sparseState.ts';
import { toText } from './byteNames.ts';
import { hashFiles } from './hashFiles.ts';
import { isWorktreeLink, laneFolderWith, type LaneFolder } from './laneFolder.ts';
import { archiveFile } from './manifest.ts';
import { adjustGitFile, type Place } from './newPlace.ts';
import { readRescue, type KeptEntry, type KeptLane } from './readRescue.ts';
import { commitOfRescue } from './rescueRef.ts';
import { restoreAdmin } from './restoreAdmin.ts';
import { closeFolders, restoreArchive, restoreFiles } from './restoreFiles.ts';
import { restorePlace, type PlaceRequest } from './restorePlace.ts';
import { scanFolder } from './scanFolder.ts';

export interface RestoreRequest extends PlaceRequest {
  /** The rescue. */
  ref: string;
  /** Folder of the repository's lanes, which `path` must lie in. */
  laneRoot: string;
}

/**
 * Makes a lane again as it was rescued, under the name, branch and path of the request: worktree byte for byte, index,
 * an operation in progress, repositories inside, ignored files that were kept. Repeatable with the same nonce after a
 * crash; what is there and not from the rescue is never overwritten.
 * @returns sentences about what is not as it was
 * @throws AgentKitError `not_found`, `conflict` or `refused` naming what is in the way, before anything is changed;
 * `conflict` also when something wrote into the new lane meanwhile
 */
export async function restoreRescue(request: RestoreRequest): Promise<{ warnings: string[] }> {
  const { root, path, branch, run, lane: id, nonce } = request;
  if (path === request.laneRoot || !isInside(path, request.laneRoot)) {
    throw new AgentKitError('invalid_input', `${path} does not lie in the lanes' folder ${request.laneRoot}`);
  }
  const kept = await readRescue(root, await commitOfRescue(root, request.ref));
  const { manifest } = kept;
  const base = manifest.base;
  const place = await restorePlace(request, manifest.tip ?? manifest.head ?? base, base);
  if (place.finished) return { warnings: [] };
  const { admin } = place;
  const warnings = await fill(await laneFolderWith(request, admin), kept);
  const sparse = await sparseState(path, admin);
  await writeMarker(admin, { version: 1, run, lane: id, nonce, branch, base, prepared: true, sparse });
  return { warnings };
}

async function fill(lane: LaneFolder, kept: KeptLane): Promise<string[]> {
  const { manifest } = kept;
  const from: Place = { path: manifest.path, admin: manifest.admin, branch: manifest.branch };
  const warnings: string[] = [];
  const entries = setAside(kept.worktree, warnings);
  const placed = await restoreFiles(lane, entries, (path, content) =>
    adjustGitFile(path, content, from, lane),
  );
  placed.push(...(await putBackIgnored(lane, kept, warnings)));
  await closeFolders(lane.path, placed);
  // A restore that was cut off may have checked files out already.
  if (!manifest.gone) await verifyFolder(lane, placed);
  warnings.push(...(await restoreAdmin(lane, kept, from)));
  if (manifest.gone) warnings.push(await checkOutIndex(lane));
  if (manifest.tip === null) {
    warnings.push(
      `The branch ${manifest.branch} was gone before the rescue; ${lane.branch} was made at its HEAD`,
    );
  }
  return warnings;
}

/** Of a folder that was gone only what the index names is there to be had. Overwrites nothing. */
async function checkOutIndex({ path, admin, env }: LaneFolder): Promise<string> {
  const gone = 'The folder had been gone before the rescue';
  const { code, stderr } = await git(admin, ['checkout-index', '--all', '--index'], {
    env: { ...env, GIT_WORK_TREE: path },
    okCodes: [0, 1, 128],
  });
  return code === 0
    ? `${gone}; its files are as its index has them`
    : `${gone}, and its files could not all be checked out; "git restore ." brings them: ${stderr.trim()}`;
}

/** Where something else stood in place of git's own file, it goes beside that. */
function setAside(entries: readonly KeptEntry[], warnings: string[]): KeptEntry[] {
  const isGit = (path: string) => path === '.git' || path.startsWith('.git/');
  if (!entries.some(({ path }) => isGit(path))) return [...entries];
  warnings.push('The .git of the lane was not the one of its worktree; what was there is in .git.rescued');
  return entries.map((entry) =>
    isGit(entry.path) ? { ...entry, path: `.git.rescued${entry.path.slice('.git'.length)}` } : entry,
  );
}

async function putBackIgnored(lane: LaneFolder, kept: KeptLane, warnings: string[]): Promise<KeptEntry[]> {
  const { archive } = kept.manifest;
  if (archive === null) return [];
  const file = archiveFile(lane.commonDir, archive.file);
  try {
    return await restoreArchive(lane, file, archive.sha256);
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const damaged = error instanceof AgentKitError && error.reason === 'invalid_input';
    if (!gone && !damaged) throw error;
    const why = gone ? `${file} is gone` : messageOf(error);
    warnings.push(`The ${archive.files} ignored files that were kept were not put back: ${why}`);
    return [];
  }
}

/** Compares the folder with what was put there. @throws AgentKitError `conflict` naming the first difference */
async function verifyFolder(lane: LaneFolder, placed: readonly KeptEntry[]): Promise<void> {
  const linked = await isWorktreeLink(lane);
  const found = await scanFolder(lane.path, ({ path }) => (linked && path === '.git' ? 'skip' : 'keep'));
  const ids = await hashFiles(lane, lane.path, found);
  const line = (kind: string, mode: number, id: string) => `${kind} ${mode} ${kind === 'folder' ? '' : id}`;
  const expected = new Map(placed.map(({ path, kind, mode, oid }) => [path, line(kind, mode, oid)]));
  for (const { path, kind, mode } of found) {
    if (expected.get(path) !== line(kind, mode, ids.get(path) ?? '')) throw differs(lane, path);
    expected.delete(path);
  }
  for (const path of expected.keys()) throw differs(lane, path);
}

function differs({ path }: LaneFolder, name: string): AgentKitError {
  return new AgentKitError(
    'conflict',
    `${path}/${toText(name)} is not as the rescue has it; something else writes there. Stop it, move the file away and restore again`,
  );
}
