import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from '../git/plumbing.ts';

export const rescuePrefix = 'refs/agentkit/rescue/';

/** @throws AgentKitError `refused` for a ref that is none of ours, so that no other is ever moved or deleted */
export async function requireRescueRef(root: string, ref: string): Promise<void> {
  const { code } = await git(root, ['check-ref-format', ref], { okCodes: [0, 1] });
  if (code === 0 && ref.startsWith(rescuePrefix)) return;
  throw new AgentKitError('refused', `${ref} is not a rescue; "git for-each-ref ${rescuePrefix}" lists them`);
}

/** The commit of a rescue. @throws AgentKitError `not_found`, `refused` */
export async function commitOfRescue(root: string, ref: string): Promise<string> {
  await requireRescueRef(root, ref);
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await git(root, args, { okCodes: [0, 1, 128] });
  if (code === 0) return stdout.toString('latin1').trim();
  throw new AgentKitError(
    'not_found',
    `There is no rescue ${ref}; "git for-each-ref ${rescuePrefix}" lists them`,
  );
}

/** UTC time in whole seconds as it stands in names, like `20261130T095505Z`. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
}

/** Makes a new ref for a rescue. One made in the same second gets a number of its own. */
export async function createRescueRef(
  root: string,
  lane: string,
  now: Date,
  commit: string,
): Promise<string> {
  const wanted = `${rescuePrefix}${lane}/${stampOf(now)}`;
  for (let n = 1; ; n += 1) {
    const ref = n === 1 ? wanted : `${wanted}-${n}`;
    const made = await setRescueRef(root, ref, commit, '').then(
      () => true,
      async (error: unknown) => ((await isThere(root, ref)) ? false : Promise.reject(error as Error)),
    );
    if (made) return ref;
  }
}

/** Moves a ref itself, never what it may point to; an empty `from` means that it must not exist. */
export async function setRescueRef(root: string, ref: string, to: string, from?: string): Promise<void> {
  const old = from === undefined ? [] : [from];
  // A rescue must outlive a power loss that follows the removal of the lane.
  const durable = ['-c', 'core.fsync=reference,loose-object'];
  await git(root, [...durable, 'update-ref', '--no-deref', ref, to, ...old]);
}

export async function deleteRescueRef(root: string, ref: string, commit: string): Promise<void> {
  await git(root, ['update-ref', '--no-deref', '-d', ref, commit]);
}

async function isThere(root: string, ref: string): Promise<boolean> {
  return (await gitText(root, ['for-each-ref', '--format=%(refname)', ref])) === ref;
}
