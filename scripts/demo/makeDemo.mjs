// @ts-check
// Makes the demo repository with accounts and state of its own, so that nothing in the user's home is touched.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './usageError.mjs';

const media = path.join(import.meta.dirname, '..', '..', 'media', 'demo');

/**
 * @typedef {object} Demo
 * @property {string} repository Absolute.
 * @property {string} plan Its plan file, absolute.
 * @property {Record<string, string>} env Variables that point AgentKit at the demo's accounts and state.
 * @property {string} mark `NAME=value`, one of `env`: every process of this demo has it in its environment.
 */

/**
 * Makes the demo in `folder`, its accounts in `<folder>-accounts` beside it.
 *
 * @param {{ folder: string }} options
 * @returns {Demo}
 * @throws {UsageError} When one of the folders that the demo uses is not empty.
 */
export function makeDemo({ folder }) {
  refuseUsedFolders(folder);
  const repository = path.resolve(folder);
  const accounts = `${repository}-accounts`;
  cpSync(path.join(media, 'repo'), repository, { recursive: true });
  commitAll(repository);
  copyAccounts(path.join(accounts, 'profiles', 'demo'));
  const folders = {
    AGENTKIT_PROFILES_DIR: path.join(accounts, 'profiles'),
    XDG_STATE_HOME: path.join(accounts, 'state'),
  };
  for (const made of Object.values(folders)) mkdirSync(made, { recursive: true, mode: 0o700 });
  return {
    repository,
    plan: path.join(repository, 'plans', 'demo.yaml'),
    env: { ...folders, AGENTKIT_DEMO: repository },
    mark: `AGENTKIT_DEMO=${repository}`,
  };
}

/**
 * @param {string} folder
 * @throws {UsageError} When a folder that the demo in `folder` would use is not empty, or cannot be one.
 */
export function refuseUsedFolders(folder) {
  for (const suffix of ['', '-accounts', '-lanes']) refuseUnlessEmpty(path.resolve(folder) + suffix);
}

/**
 * Like real accounts: for nobody else to read.
 *
 * @param {string} to
 */
function copyAccounts(to) {
  cpSync(path.join(media, 'accounts'), to, { recursive: true });
  for (const name of ['', ...readdirSync(to)]) chmodSync(path.join(to, name), 0o700);
}

/** @param {string} folder */
function refuseUnlessEmpty(folder) {
  if (!existsSync(folder)) return refuseBelowFile(folder);
  let names;
  try {
    names = readdirSync(folder);
  } catch {
    throw new UsageError(`${folder} is not a folder. Choose another with --dir.`);
  }
  if (names.length > 0) {
    throw new UsageError(
      `${folder} is not empty, and the demo never overwrites anything. Empty it or choose another with --dir.`,
    );
  }
}

/**
 * Below a file nobody can make a folder.
 *
 * @param {string} folder
 */
function refuseBelowFile(folder) {
  let above = path.dirname(folder);
  while (!existsSync(above)) above = path.dirname(above);
  if (!statSync(above).isDirectory())
    throw new UsageError(`${above} is not a folder. Choose another with --dir.`);
}

/** @param {string} repository */
function commitAll(repository) {
  const hooks = path.join(repository, '.git', 'hooks');
  runGit(repository, ['init', '-q', '-b', 'main', '--template=']);
  // Set in this repository only: an identity, and none of the user's signing or global hooks.
  const settings = {
    'user.name': 'AgentKit Demo',
    'user.email': 'demo@agentkit.invalid',
    'commit.gpgsign': 'false',
    'core.hooksPath': hooks,
    'core.autocrlf': 'false',
  };
  for (const [name, value] of Object.entries(settings)) runGit(repository, ['config', name, value]);
  runGit(repository, ['add', '-A']);
  runGit(repository, ['commit', '-q', '-m', 'A small invoice library']);
}

/**
 * @param {string} repository
 * @param {string[]} args
 */
function runGit(repository, args) {
  // Inside a git hook these variables would point at the hook's repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  try {
    execFileSync('git', ['-C', repository, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      throw new UsageError('The demo needs git on PATH.');
    throw error;
  }
}
