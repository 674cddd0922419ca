import { branchUses } from '../git/branchUse.ts';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { git } from '../git/plumbing.ts';
import { tipOf } from '../git/resolveBase.ts';
import { toText } from './byteNames.ts';
import type { LaneFolder } from './laneFolder.ts';
import type { Manifest } from './manifest.ts';

/**
 * The content of HEAD for a lane that is put back. One that stood on another branch than the lane's own stands on it
 * again if that branch is where it was, or gone, and nobody else uses it; else on its commit.
 * @param warnings receives a sentence when HEAD is not as it was
 */
export async function restoredHead(
  lane: LaneFolder,
  { head }: Manifest,
  content: Buffer,
  warnings: string[],
): Promise<Buffer> {
  const [, raw] = /^ref: refs\/heads\/([^]*?)\n*$/.exec(content.toString('latin1')) ?? [];
  const branch = raw === undefined ? lane.branch : toText(raw);
  if (branch === lane.branch) return content;
  const own = await realPathOf(lane.path);
  const uses = await branchUses(lane, branch);
  const elsewhere: string[] = [];
  for (const { path } of uses) if (!isInside(await realPathOf(path), own)) elsewhere.push(path);
  const tip = await tipOf(lane.root, branch);
  if (elsewhere.length === 0 && tip === head) return content;
  if (elsewhere.length === 0 && tip === null && head !== null) {
    await git(lane.root, ['update-ref', `refs/heads/${branch}`, head, '']);
    warnings.push(`The lane stood on the branch ${branch}, which was gone; it was made again`);
    return content;
  }
  const where = elsewhere[0] === undefined ? 'has moved' : `is in use in ${elsewhere[0]}`;
  const commit = head ?? (await tipOf(lane.root, lane.branch));
  warnings.push(`The lane stood on the branch ${branch}, which ${where}; its HEAD is detached at ${commit}`);
  return Buffer.from(`${commit}\n`);
}
