/** Name of the target of a standing run that began where no branch was checked out, until there is one. */
export const noTarget = '';

/** Why a lane of such a run cannot be merged, with what helps. */
export function whyNoTarget(branch = 'lane/NAME'): string {
  return `No branch was checked out when lanes by hand began, so there is none to merge into; switch to one and make a lane by hand, which merges them all there, or merge by git: git merge ${branch}`;
}
