import { toText } from './byteNames.ts';
import type { IgnoredChoice } from './ignoredBudget.ts';
import type { NamedObjects } from './namedObjects.ts';
import type { Worktree } from './scanWorktree.ts';

/** Said of a lane whose folder is not there: whatever was uncommitted in it is not to be had. */
export const folderWasGone = 'its folder was gone; only branch, index and HEAD are kept';

/** Everything of a lane that no rescue can hold, each with the reason. */
export function notKept(
  { gone, special }: Pick<Worktree, 'gone' | 'special'>,
  { broken }: Pick<NamedObjects, 'broken'>,
  choice: Pick<IgnoredChoice, 'notKept'>,
  lanePath: string,
): { path: string; reason: string }[] {
  return [
    ...(gone ? [{ path: lanePath, reason: folderWasGone }] : []),
    ...special.map(({ path, target }) => ({
      path: toText(path),
      reason: `${target}, which has no content to keep`,
    })),
    ...broken.map((oid) => ({
      path: `commit ${oid}`,
      reason: 'named by the reflog, but the repository has lost parts of it',
    })),
    ...choice.notKept,
  ];
}
