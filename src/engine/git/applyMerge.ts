import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { mergeBlockers } from './mergeBlockers.ts';
import { openRepository } from './openRepository.ts';
import { blockerReasons } from './planMerge.ts';
import { git } from './plumbing.ts';
import { repositoryHealth } from './repositoryHealth.ts';
import { tipOf } from './resolveBase.ts';
import { targetState } from './targetState.ts';

export interface MergeMove {
  root: string;
  target: string;
  /** Where the target must stand. */
  from: string;
  /** The merge commit, made on top of `from`. */
  commit: string;
}

/**
 * Moves a target from exactly `from` to the merge commit, or not at all. Repeatable: a target that has the commit
 * already is fine. Where the target is checked out, its files move with it, and no file of the user's is overwritten.
 * @throws AgentKitError `conflict` with the reason, the target unmoved
 */
export async function applyMerge(move: MergeMove): Promise<{ to: string }> {
  const { root, target, from, commit } = move;
  const repository = await openRepository(root);
  const tip = await tipOf(root, target);
  if (tip === null) throw conflict(`The branch ${target} is gone; make it again at ${from.slice(0, 10)}`);
  if (await isAncestor(root, commit, tip)) return { to: commit };
  if (tip !== from) throw moved(target, from, tip);
  if (!(await isAncestor(root, from, commit))) {
    throw conflict(`${commit.slice(0, 10)} was not made on ${from.slice(0, 10)}; plan the merge again`);
  }
  const ill = await repositoryHealth(repository);
  const { checkedOutIn, whyNot } = await targetState(repository, target);
  const reasons = [...ill, ...whyNot];
  if (reasons.length > 0) throw conflict(reasons.join('. '));
  if (checkedOutIn === null) await moveBranch(move);
  else await moveCheckout(move, checkedOutIn);
  return { to: commit };
}

/** Compare and swap by git itself. */
async function moveBranch({ root, target, from, commit }: MergeMove): Promise<void> {
  try {
    await git(root, ['update-ref', '-m', 'agentkit merge', `refs/heads/${target}`, commit, from]);
  } catch (error) {
    throw conflict(`${target} was not moved, somebody else moved it in the same moment: ${messageOf(error)}`);
  }
}

async function moveCheckout({ root, target, from, commit }: MergeMove, checkout: string): Promise<void> {
  const blocked = blockerReasons(checkout, await mergeBlockers({ checkout, from, to: commit }));
  if (blocked.length > 0) throw conflict(blocked.join('. '));
  // The only way of git's that also spares files the user ignores. The other flags overrule the user's settings.
  const spare = ['--ff-only', '--no-overwrite-ignore'];
  const plain = ['--no-squash', '--no-autostash', '--no-verify-signatures', '--no-stat', '--quiet'];
  try {
    await git(checkout, ['merge', ...spare, ...plain, commit]);
  } catch (error) {
    // Git moves the files first; where it then cannot move the branch, it leaves them. Those that did not move stay.
    if ((await tipOf(root, target)) === from) await git(checkout, ['read-tree', '-m', '-u', commit, from]);
    throw conflict(`${target} was not moved in ${checkout}: ${messageOf(error)}`);
  }
  const tip = await tipOf(root, target);
  if (tip !== commit) throw moved(target, commit, tip ?? 'nowhere');
}

async function isAncestor(root: string, ancestor: string, commit: string): Promise<boolean> {
  return (await git(root, ['merge-base', '--is-ancestor', ancestor, commit], { okCodes: [0, 1] })).code === 0;
}

function moved(target: string, expected: string, found: string): AgentKitError {
  return conflict(
    `${target} moved from ${expected.slice(0, 10)} to ${found.slice(0, 10)} in the meantime; plan the merge again`,
  );
}

function conflict(message: string): AgentKitError {
  return new AgentKitError('conflict', message);
}
