/** The first git with `merge-tree --write-tree`. */
export const oldestGit = [2, 38] as const;

/** Whether what `git --version` says is older than that, or no version at all. */
export function isOldGit(told: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(told)?.map(Number) ?? [];
  const [oldMajor, oldMinor] = oldestGit;
  if (major === undefined || minor === undefined) return true;
  return major < oldMajor || (major === oldMajor && minor < oldMinor);
}
