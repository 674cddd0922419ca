import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from './plumbing.ts';

/**
 * Holds a new branch's name against git's rules and the branches that are there.
 * @throws AgentKitError `invalid_input`, or `conflict` when git could not keep both names
 */
export async function checkBranch(root: string, branch: string): Promise<void> {
  const [valid, foldsCase, refs] = await Promise.all([
    git(root, ['check-ref-format', `refs/heads/${branch}`], { okCodes: [0, 1] }),
    gitText(root, ['config', '--type=bool', '--default=false', '--get', 'core.ignoreCase']),
    gitText(root, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']),
  ]);
  if (valid.code !== 0 || branch.startsWith('-')) {
    throw new AgentKitError(
      'invalid_input',
      `"${branch}" is not a valid name for a git branch; choose another`,
    );
  }
  const clash = findClash(branch, refs.split('\n'), foldsCase === 'true');
  if (clash !== null) {
    throw new AgentKitError(
      'conflict',
      `The branch ${branch} cannot be made beside the branch ${clash}: git would keep both under one name, or one as a folder of the other. Rename it: git branch -m ${clash} NEW-NAME`,
    );
  }
}

/** The first branch that is a folder of the new one, or has it as a folder, or differs from it only in case. */
export function findClash(branch: string, others: readonly string[], foldsCase: boolean): string | null {
  const fold = (name: string) => (foldsCase ? name.toLowerCase() : name);
  const wanted = fold(branch);
  const clashes = (other: string) => {
    const name = fold(other);
    return (
      wanted.startsWith(`${name}/`) || name.startsWith(`${wanted}/`) || (name === wanted && other !== branch)
    );
  };
  return others.find((other) => other !== '' && clashes(other)) ?? null;
}
