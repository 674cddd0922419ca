import { toText } from './byteNames.ts';
import type { IgnoredChoice } from './ignoredBudget.ts';
import type { NamedObjects } from './namedObjects.ts';
import type { Worktree } from './scanWorktree.ts';

/** Everything of a lane that no rescue can hold, each with the reason. */
export function notKept(
  { special }: Pick<Worktree, 'special'>,
  { broken }: Pick<NamedObjects, 'broken'>,
  choice: Pick<IgnoredChoice, 'notKept'>,
): { path: string; reason: string }[] {
  return [
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
