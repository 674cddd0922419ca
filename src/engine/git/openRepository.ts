import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderAt, linkedAdminFolder } from './adminFolders.ts';
import { isOldGit, oldestGit } from './gitVersion.ts';
import { makerOf } from './marker.ts';
import { git, gitText } from './plumbing.ts';
import { currentBranch } from './resolveBase.ts';
import { listWorktrees, type Worktree } from './worktreeList.ts';

export interface Repository {
  /** Top folder of the main checkout, with links resolved; beside a bare repository, of the user's first worktree. */
  root: string;
  /** Git's common directory: shared by the main checkout and every worktree. */
  commonDir: string;
}

/**
 * Finds the repository that a folder belongs to, whether it is the top, lies below it, or is a linked worktree. It may
 * have no commit yet: only who starts something from one needs it.
 * @throws AgentKitError `not_found`, `not_installed` or `refused`, each with the cure
 */
export async function openRepository(folder: string): Promise<Repository> {
  await requireFolder(folder);
  await requireGit(folder);
  const commonDir = await findCommonDir(folder);
  const root = await findMainCheckout(folder, commonDir);
  return { root, commonDir };
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new AgentKitError('not_found', `There is no folder ${folder}; open a folder that exists`);
  }
}

async function requireGit(folder: string): Promise<void> {
  const version = await gitText(folder, ['--version']);
  if (isOldGit(version)) {
    throw new AgentKitError(
      'not_installed',
      `AgentKit needs git ${oldestGit.join('.')} or newer; this is ${version}`,
    );
  }
}

async function findCommonDir(folder: string): Promise<string> {
  const found = await git(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir'], {
    okCodes: [0, 128],
    discover: true,
  });
  if (found.code === 0) return realpath(found.stdout.toString('utf8').replace(/\n$/, ''));
  const lost = await lostRepository(folder);
  if (lost !== null) {
    throw new AgentKitError(
      'not_found',
      `${lost.top} is a worktree of a repository that is not at ${lost.gitDir} any more; if it was moved, mend the worktree from the main checkout where that is now: git worktree repair "${lost.top}"`,
    );
  }
  if (/not a git repository/.test(found.stderr)) {
    throw new AgentKitError(
      'not_found',
      `${folder} is not in a git repository; run "git init" there, or open one`,
    );
  }
  throw new AgentKitError('git_failed', `Git cannot use the repository of ${folder}: ${found.stderr.trim()}`);
}

/** The nearest folder above whose `.git` file leads nowhere. */
async function lostRepository(folder: string): Promise<{ top: string; gitDir: string } | null> {
  for (let top = await realpath(folder); ; top = dirname(top)) {
    const gitDir = await linkedAdminFolder(top);
    if (gitDir !== null) return (await isFolder(gitDir)) ? null : { top, gitDir };
    if (top === dirname(top)) return null;
  }
}

async function findMainCheckout(folder: string, commonDir: string): Promise<string> {
  const bare = await gitText(commonDir, ['config', '--type=bool', '--default=false', '--get', 'core.bare']);
  if (bare === 'true') {
    const root = (await hasCheckout(commonDir)) ? null : await firstWorktree(commonDir);
    if (root !== null) return root;
    throw new AgentKitError(
      'refused',
      (await hasCheckout(commonDir))
        ? `core.bare was set to true in ${commonDir}, which has a checkout; undo it: git config --file "${commonDir}/config" core.bare false`
        : `${commonDir} is a bare repository without a worktree; AgentKit works beside a checkout: git -C "${commonDir}" worktree add FOLDER BRANCH, or open a normal clone`,
    );
  }
  // A submodule or a separate git directory names its checkout in core.worktree; a plain one lies in its checkout.
  const named = await gitText(commonDir, ['config', '--default=', '--get', 'core.worktree']);
  const candidates = [named === '' ? dirname(commonDir) : resolve(commonDir, named), folder];
  for (const candidate of candidates) {
    const root = await topOfMainCheckout(candidate, commonDir);
    if (root !== null) return root;
  }
  throw new AgentKitError(
    'refused',
    `The main checkout of ${commonDir} was not found; open its folder instead of ${folder}`,
  );
}

/** A repository that is really bare has no index of its own. */
async function hasCheckout(commonDir: string): Promise<boolean> {
  return stat(join(commonDir, 'index')).then(
    () => true,
    () => false,
  );
}

/** The user's worktree that stands on the bare repository's own branch, else the first; the same from wherever. */
async function firstWorktree(commonDir: string): Promise<string | null> {
  const head = await currentBranch(commonDir);
  const own: Worktree[] = [];
  for (const worktree of await listWorktrees(commonDir)) {
    if (worktree.bare || !(await isFolder(worktree.path))) continue;
    const admin = await adminFolderAt(commonDir, worktree.path);
    if (admin !== null && (await makerOf(admin)) === null) own.push(worktree);
  }
  own.sort((a, b) => Number(b.branch === head) - Number(a.branch === head) || (a.path < b.path ? -1 : 1));
  return own[0] === undefined ? null : realpath(own[0].path);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The top folder when the candidate lies in the main checkout of this repository, else null. */
async function topOfMainCheckout(candidate: string, commonDir: string): Promise<string | null> {
  const found = await stat(candidate).catch(() => undefined);
  if (!found?.isDirectory()) return null;
  const options = { okCodes: [0, 128], discover: true };
  const gitDir = await git(candidate, ['rev-parse', '--absolute-git-dir'], options);
  const top = await git(candidate, ['rev-parse', '--show-toplevel'], options);
  if (gitDir.code !== 0 || top.code !== 0) return null;
  const line = (output: Buffer) => output.toString('utf8').replace(/\n$/, '');
  if ((await realpath(line(gitDir.stdout))) !== commonDir) return null;
  return realpath(line(top.stdout));
}
