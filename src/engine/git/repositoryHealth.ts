import { adminFolderOf } from './adminFolders.ts';
import type { Repository } from './openRepository.ts';
import { git, gitText } from './plumbing.ts';
import { realPathOf } from './realPathOf.ts';

/** What is wrong with the settings that all checkouts share, with the cure; empty when nothing. */
export async function repositoryHealth({ root, commonDir }: Repository): Promise<string[]> {
  const bare = await gitText(root, ['config', '--type=bool', '--default=false', '--get', 'core.bare']);
  // A worktree of a bare repository is in order; only a main checkout cannot stand beside this setting.
  if (bare === 'true' && (await adminFolderOf(root)) === null) {
    return [
      `core.bare was set to true in ${commonDir}, so git takes every file of ${root} for deleted; undo it: git config --file "${commonDir}/config" core.bare false`,
    ];
  }
  const top = await git(root, ['rev-parse', '--show-toplevel'], { okCodes: [0, 128] });
  const found = top.stdout.toString('utf8').replace(/\n$/, '');
  if (top.code === 0 && (await realPathOf(found)) === (await realPathOf(root))) return [];
  return [`Git no longer takes ${root} for its own checkout; look at core.worktree in ${commonDir}/config`];
}
