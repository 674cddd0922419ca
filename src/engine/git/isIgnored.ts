import { git } from './plumbing.ts';

/** Whether git passes over everything in a folder of a checkout. */
export async function isIgnored(root: string, folder: string): Promise<boolean> {
  const tracked = await git(root, ['--literal-pathspecs', 'ls-files', '-z', '--', folder]);
  if (tracked.stdout.length > 0) return false;
  const { code } = await git(root, ['check-ignore', '--quiet', '--', `${folder}/lane`], { okCodes: [0, 1] });
  return code === 0;
}
