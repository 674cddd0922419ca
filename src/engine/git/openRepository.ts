import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { isOldGit, oldestGit } from './gitVersion.ts';
import { git, gitText } from './plumbing.ts';

export interface Repository {
  /** Top folder of the main checkout, with links resolved. */
  root: string;
  /** Git's common directory: shared by the main checkout and every worktree. */
  commonDir: string;
}

/**
 * Finds the repository that a folder belongs to, whether it is the top, lies below it, or is a linked worktree.
 * @throws AgentKitError `not_found`, `not_installed` or `refused`, each with the cure
 */
export async function openRepository(folder: string): Promise<Repository> {
  await requireFolder(folder);
  await requireGit(folder);
  const commonDir = await findCommonDir(folder);
  const root = await findMainCheckout(folder, commonDir);
  const born = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { okCodes: [0, 1] });
  if (born.code !== 0) {
    throw new AgentKitError(
      'refused',
      `The repository ${root} has no commits on its current branch yet, so there is nothing lanes can start from; make a first one: git commit --allow-empty -m "First commit"`,
    );
  }
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
  if (/not a git repository/.test(found.stderr)) {
    throw new AgentKitError(
      'not_found',
      `${folder} is not in a git repository; run "git init" there, or open one`,
    );
  }
  throw new AgentKitError('git_failed', `Git cannot use the repository of ${folder}: ${found.stderr.trim()}`);
}

async function findMainCheckout(folder: string, commonDir: string): Promise<string> {
  const bare = await gitText(commonDir, ['config', '--type=bool', '--default=false', '--get', 'core.bare']);
  if (bare === 'true') {
    throw new AgentKitError(
      'refused',
      `${commonDir} is a bare repository (core.bare is true); AgentKit works beside a main checkout. Open a normal clone, or if this is one: git config --file "${commonDir}/config" core.bare false`,
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
