import type { Repository } from './openRepository.ts';
import { git } from './plumbing.ts';
import { isInside, realPathOf } from './realPathOf.ts';

/** Whether what is written to a file shows as a change of the main checkout: it lies there, and git does not ignore it. */
export async function showsIn({ root, commonDir }: Repository, file: string): Promise<boolean> {
  const [real, top, own] = await Promise.all([file, root, commonDir].map((each) => realPathOf(each)));
  if (real === undefined || top === undefined || own === undefined) return false;
  if (!isInside(real, top) || isInside(real, own)) return false;
  const { code } = await git(top, ['check-ignore', '--quiet', '--', real], { okCodes: [0, 1] });
  return code === 1;
}
