import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from './plumbing.ts';

/**
 * Holds a new branch's name against git's rules and the branches that are there.
 * @throws AgentKitError `invalid_input`, or `conflict` when git could not keep both names
 */
export async function checkBranch(root: string, branch: string): Promise<void> {
  const [valid, clash] = await Promise.all([
    git(root, ['check-ref-format', `refs/heads/${branch}`], { okCodes: [0, 1] }),
    clashingBranch(root, branch),
  ]);
  if (valid.code !== 0 || branch.startsWith('-')) {
    throw new AgentKitError(
      'invalid_input',
      `"${branch}" is not a valid name for a git branch; choose another`,
    );
  }
  if (clash !== null) {
    throw new AgentKitError(
      'conflict',
      `The branch ${branch} cannot be made beside the branch ${clash}: git would keep one as a folder of the other, or, where case is not told apart, both under one name. Rename it: git branch -m ${clash} NEW-NAME`,
    );
  }
}

/** The branch that is there and beside which git could not keep this one everywhere; null when there is none. */
export async function clashingBranch(root: string, branch: string): Promise<string | null> {
  const refs = await gitText(root, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
  return findClash(branch, refs.split('\n'));
}

/** The first branch that is a folder of the new one, or has it as a folder, or differs from it only in case. */
export function findClash(branch: string, others: readonly string[]): string | null {
  const wanted = branch.toLowerCase();
  const clashes = (other: string) => {
    const name = other.toLowerCase();
    return (
      wanted.startsWith(`${name}/`) || name.startsWith(`${wanted}/`) || (name === wanted && other !== branch)
    );
  };
  return others.find((other) => other !== '' && clashes(other)) ?? null;
}
