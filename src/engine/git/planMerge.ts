import { changedFiles } from './changedFiles.ts';
import { laneCommits } from './laneChanges.ts';
import { mergeBlockers } from './mergeBlockers.ts';
import { mergeTrees } from './mergeTrees.ts';
import type { Repository } from './openRepository.ts';
import { git } from './plumbing.ts';
import { repositoryHealth } from './repositoryHealth.ts';
import { tipOf } from './resolveBase.ts';
import { splitNulText } from './splitNul.ts';
import { targetState } from './targetState.ts';

/** What merging a commit into a branch would do now. Made without any effect but objects in git's store. */
export interface TargetMergePlan {
  /** Where the target stands; null when there is no such branch. */
  from: string | null;
  /** Commits that come in, newest first. */
  commits: { sha: string; subject: string }[];
  /** Paths of the target that change. */
  files: string[];
  /** Tree of the merge; null when there is none. */
  tree: string | null;
  conflicts: string[];
  /** The checkout that stands on the target; null when none does. */
  checkedOutIn: string | null;
  /** Why it cannot be merged now; empty when it can. */
  whyNot: string[];
}

export async function planMerge(
  merge: Repository & { target: string; head: string },
): Promise<TargetMergePlan> {
  const { root, target, head } = merge;
  const plan: TargetMergePlan = {
    from: null,
    commits: [],
    files: [],
    tree: null,
    conflicts: [],
    checkedOutIn: null,
    whyNot: [],
  };
  const ill = await repositoryHealth(merge);
  const from = await tipOf(root, target);
  if (from === null) {
    return {
      ...plan,
      whyNot: [
        ...ill,
        `There is no branch ${target} in ${root} to merge into; make it, or name another target`,
      ],
    };
  }
  if (ill.length > 0) return { ...plan, from, whyNot: ill };
  const state = await targetState(merge, target);
  const known = { ...plan, from, checkedOutIn: state.checkedOutIn };
  const nothing = await nothingToMerge(root, target, from, head);
  if (nothing !== null) return { ...known, whyNot: [...state.whyNot, nothing] };

  const commits = await laneCommits({ path: root, base: from, head });
  const { tree, conflicts } = await mergeTrees({ ...merge, from });
  if (tree === null) {
    const files = conflicts.join(', ');
    const why = `Merging into ${target} conflicts in ${files}; merge ${target} into the lane, solve it there and run the gate again`;
    return { ...known, commits, conflicts, whyNot: [...state.whyNot, why] };
  }
  const changes = await changedFiles({ root, base: from, head: tree });
  const files = changes.flatMap((file) => (file.from === undefined ? [file.path] : [file.from, file.path]));
  const whyNot = [
    ...state.whyNot,
    ...(await deletesTooMuch(root, from, changes.filter((file) => file.status === 'deleted').length)),
  ];
  // With another reason in hand, that checkout need not be in a state in which its files can be compared.
  if (state.checkedOutIn !== null && state.whyNot.length === 0) {
    whyNot.push(
      ...blockerReasons(
        state.checkedOutIn,
        await mergeBlockers({ checkout: state.checkedOutIn, from, to: tree }),
      ),
    );
  }
  return { ...known, commits, files, tree, whyNot };
}

/** One sentence for files of the user that are in the way. */
export function blockerReasons(checkout: string, blockers: readonly string[]): string[] {
  if (blockers.length === 0) return [];
  return [
    `The merge would overwrite these files in ${checkout}: ${blockers.join(', ')}; commit them or move them away`,
  ];
}

async function nothingToMerge(
  root: string,
  target: string,
  from: string,
  head: string,
): Promise<string | null> {
  const contained = await git(root, ['merge-base', '--is-ancestor', head, from], { okCodes: [0, 1] });
  if (contained.code === 0) return `There is nothing to merge: ${target} has ${head.slice(0, 10)} already`;
  const related = await git(root, ['merge-base', from, head], { okCodes: [0, 1] });
  return related.code === 0 ? null : `${target} and ${head.slice(0, 10)} have no commit in common`;
}

/** A merge that takes away most of the repository is an accident until a person says otherwise. */
async function deletesTooMuch(root: string, from: string, deleted: number): Promise<string[]> {
  const { stdout } = await git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', from]);
  const all = splitNulText(stdout).length;
  if (deleted * 2 <= all) return [];
  return [`The merge would delete ${deleted} of ${all} files; if that is meant, merge it by hand`];
}
