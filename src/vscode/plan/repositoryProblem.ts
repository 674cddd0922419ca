import { findRepository } from '../platform/findRepository.ts';
import type { Translate } from '../platform/render.ts';

/**
 * Why no plan can be run in a window with these folders; undefined when one can.
 *
 * @param folders Absolute paths of the folders that lie on a disk.
 */
export async function repositoryProblem(
  folders: readonly string[],
  t: Translate,
): Promise<string | undefined> {
  const [first] = folders;
  if (first === undefined) return t('Open a folder that lies in a git repository first.');
  for (const folder of folders) {
    const found = await findRepository(folder);
    if (found?.hasCommits) return undefined;
    if (found)
      return t('{0} has no commit yet. Commit something first: every lane starts from a commit.', found.top);
  }
  return t('{0} lies in no git repository. Run "git init" there and commit something first.', first);
}
