import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { git, gitText } from '../git/plumbing.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { deleteBranch, type BranchEnd } from './deleteBranch.ts';
import { emptyTrash } from './emptyTrash.ts';
import { entryAt } from './entryAt.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import { listOwnFolders } from './laneIdentity.ts';
import { proveLane, type LaneProof } from './proveLane.ts';
import { commitGaps, folderGaps, type Rescued } from './rescueGaps.ts';
import { clearTornRecords, isTheFolder, listTrash, moveToTrash, takeFromTrash, type Trash } from './trash.ts';
import { whoStaysIn, whoWorksIn } from './whoWorksIn.ts';

/** How long in milliseconds a removal deletes files; what is left then is finished by `sweepTrash`. */
const deletingMs = 5_000;

export interface Removal extends BranchEnd {
  /** What is still on disk or in git, as it was found afterwards. */
  left: string[];
  /** Size of the files that were deleted. */
  freedBytes?: number;
}

/**
 * Removes a lane's folder, git's entry of it and its branch, in that order, and reports what is there afterwards.
 *
 * A lane that is gone already is success. Killed at any point and called again, it comes to the same end. A branch
 * whose commits others have, but the target has not, is kept.
 * @param request with the commit that keeps the lane, or null when all of it is merged or pushed
 * @throws AgentKitError `refused` with every reason and its cure, and nothing is changed
 */
export async function removeLane(request: RemovalRequest & { rescued: Rescued | null }): Promise<Removal> {
  await judgeFolder(request);
  const end = await takeTurn(request.commonDir, () => detach(request));
  // From here on it is removed, whatever fails.
  const { freedBytes, trash } = await emptyOwnTrash(request).catch((error: unknown) => ({
    freedBytes: 0,
    trash: [`what it left in the trash: ${messageOf(error)}`],
  }));
  const found = await whatIsLeft(request, end).catch((error: unknown) => [
    `what could not be told: ${messageOf(error)}`,
  ]);
  const left = [...found, ...trash];
  return { ...end, left, ...(freedBytes > 0 && { freedBytes }) };
}

/** What takes long to find out, and cannot change any more once nobody works in the folder. */
async function judgeFolder(request: RemovalRequest & { rescued: Rescued | null }): Promise<void> {
  const proof = await proveLane(request);
  refuse(request, proof.refusals);
  if (!proof.exists || proof.admin === null) return;
  refuse(request, (await whoStaysIn(proof.path, request)).reasons);
  refuse(request, await folderGaps(proof.path, proof.admin, request.rescued, request.root));
}

/** Takes the lane away from git. Others who remove or make lanes wait, so what is judged here stays true. */
async function detach(request: RemovalRequest & { rescued: Rescued | null }): Promise<BranchEnd> {
  await clearTornRecords(request.commonDir);
  const proof = await proveLane(request);
  refuse(request, proof.refusals);
  const commits = await commitGaps(
    request,
    { admin: proof.admin, folderIsThere: proof.exists },
    request.rescued,
  );
  if (commits.gaps.length > 0) {
    // A removal that was cut off may have moved the folder away already.
    if (!proof.exists && proof.admin !== null) await putBack(request);
    refuse(request, commits.gaps);
  }
  if (proof.exists) await moveAside(request, proof);
  if (proof.admin !== null) await unregister(request, proof);
  return deleteBranch(request, commits);
}

async function moveAside(request: RemovalRequest, proof: LaneProof): Promise<void> {
  const { run, lane, nonce } = request;
  const trash = await moveToTrash(request.commonDir, { run, lane, nonce, path: proof.path });
  // Whoever came in since it was looked at moved along; from now on nobody finds the way.
  const { reasons } = whoWorksIn(trash.trash, request);
  if (reasons.length === 0) return;
  await takeFromTrash(trash);
  refuse(request, reasons);
}

async function putBack(request: RemovalRequest): Promise<void> {
  for (const trash of await trashOf(request)) {
    if (await isTheFolder(trash)) await takeFromTrash(trash);
  }
}

/** Drops git's entry of a folder that is gone. Without force: git itself refuses if something is there after all. */
async function unregister({ root }: RemovalRequest, { path, admin }: LaneProof): Promise<void> {
  if (admin !== null && (await entryAt(`${admin}/locked`)) !== null) {
    await git(root, ['worktree', 'unlock', path]);
  }
  await git(root, ['worktree', 'remove', path]);
}

/** What cannot be deleted now does not undo the removal: it is told, and a later sweep tries again. */
async function emptyOwnTrash(request: RemovalRequest): Promise<{ freedBytes: number; trash: string[] }> {
  const deadline = performance.now() + deletingMs;
  const result = { freedBytes: 0, trash: [] as string[] };
  for (const trash of await trashOf(request)) {
    try {
      const { freedBytes, done } = await emptyTrash(trash, deadline);
      result.freedBytes += freedBytes;
      if (!done) result.trash.push(`${trash.trash}, which is deleted later`);
    } catch (error) {
      result.trash.push(`${trash.trash}, which could not be deleted: ${messageOf(error)}`);
    }
  }
  return result;
}

async function trashOf({ commonDir, run, lane, nonce }: RemovalRequest): Promise<Trash[]> {
  const { records } = await listTrash(commonDir);
  return records.filter((trash) => trash.nonce === nonce && trash.lane === lane && trash.run === run);
}

async function whatIsLeft(request: RemovalRequest, { branch }: BranchEnd): Promise<string[]> {
  const { root, commonDir, path, nonce } = request;
  const left: string[] = [];
  if ((await entryAt(path)) !== null) left.push(`folder ${path}`);
  const own = (await listOwnFolders(commonDir)).filter((folder) => folder.nonce === nonce);
  left.push(...own.map((folder) => `git's entry of ${folder.path}`));
  const name = `refs/heads/${request.branch}`;
  const ref = await gitText(root, ['for-each-ref', '--format=%(refname)', name]);
  if (branch !== 'kept' && ref.split('\n').includes(name)) left.push(`branch ${request.branch}`);
  if (branch !== 'kept') left.push(...(await settingsOf(request)));
  return left;
}

/** Settings of a branch that somebody wrote into the shared file, which is not ours to change. */
async function settingsOf({ root, commonDir, branch }: RemovalRequest): Promise<string[]> {
  const { code, stdout } = await git(root, ['config', '--local', '--name-only', '--null', '--list'], {
    okCodes: [0, 1],
  });
  const section = `branch.${branch}`;
  const names = code === 0 ? stdout.toString('utf8').split('\0') : [];
  if (!names.some((name) => name.startsWith(`${section}.`))) return [];
  const file = `${commonDir}/config`;
  return [`settings of ${branch} in ${file}; take them out: git config --remove-section "${section}"`];
}

function refuse({ lane }: RemovalRequest, reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new AgentKitError('refused', `Lane ${lane} is not removed. ${reasons.join('. ')}`);
}
