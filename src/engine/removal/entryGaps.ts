import { join } from 'node:path';
import { operationInProgress } from '../git/operationInProgress.ts';
import { git } from '../git/plumbing.ts';
import { entryAt } from './entryAt.ts';
import { submodulesOf } from './submodulesOf.ts';

/** What only git's entry of a folder that is gone still holds, besides commits; each with the cure. */
export async function entryGaps(path: string, admin: string): Promise<string[]> {
  const gaps: string[] = [];
  if (await isStaged(admin)) gaps.push(`The index of ${path} has work that is not committed`);
  const operation = await operationInProgress(admin);
  if (operation !== null) gaps.push(`A ${operation} was under way in ${path}`);
  for (const { path: module, unpushed } of await submodulesOf(null, admin)) {
    if (unpushed > 0) gaps.push(`${module} of ${path} has ${unpushed} commits that none of its remotes has`);
  }
  return gaps.map((gap) => `${gap}; rescue the lane first`);
}

/** What cannot be compared, as with a HEAD that leads nowhere, may hold anything. */
async function isStaged(admin: string): Promise<boolean> {
  if ((await entryAt(join(admin, 'index'))) === null) return false;
  const args = ['diff-index', '--cached', '--quiet', 'HEAD', '--'];
  const { code } = await git(admin, args, { env: { GIT_DIR: admin }, okCodes: [0, 1, 128] });
  return code !== 0;
}
