// @ts-check
// Makes the locked toolchain ready on a bare machine. Plain Node 20, no dependencies: this runs before `npm ci` did.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Root of the repository. */
export const repositoryRoot = path.dirname(import.meta.dirname);

/** The Node.js major that runs the TypeScript sources directly and that the test host needs. */
const neededMajor = 24;

/**
 * Installs the locked dependencies when they are missing or differ from the lock file, and finds Node 24.
 *
 * @returns {{ node: string, env: NodeJS.ProcessEnv }} The Node 24 executable, and an environment for children in
 *   which that Node comes first on PATH.
 * @throws {Error} When the installation fails or no Node 24 can be run; the message says what to do.
 */
export function prepareToolchain() {
  if (!isInstalled()) install();
  const node = findNode();
  return { node, env: withNodeFirst(node) };
}

/** True when `node_modules` holds exactly the locked packages; npm writes its own record only after a whole install. */
function isInstalled() {
  const locked = readPackages(path.join(repositoryRoot, 'package-lock.json'));
  const installed = readPackages(path.join(repositoryRoot, 'node_modules', '.package-lock.json'));
  if (!locked || !installed) return false;
  return Object.entries(locked).every(([folder, entry]) => {
    if (folder === '') return true;
    const found = installed[folder];
    return found ? found.version === entry.version : entry.optional === true;
  });
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined} Undefined when there is no such file.
 */
function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.error('Installing the locked dependencies (npm ci)…');
  // No package needs its install script here, and npm versions differ in which of them they would run.
  const { status, error } = spawnNpm(['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: repositoryRoot,
    env: npmEnvironment(process.env),
  });
  if (error || status !== 0) {
    throw new Error(
      `npm ci failed in ${repositoryRoot} (${error?.message ?? `exit ${status}`}). Its output is above.`,
    );
  }
}

/**
 * Runs npm with its output on our stderr, so that our stdout stays free for answers.
 *
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
export function spawnNpm(args, options) {
  return spawnSync('npm', args, { ...options, stdio: ['ignore', 2, 2] });
}

/**
 * What `npm run` adds about its own package would mislead an npm that works in another folder.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment(env) {
  const misleading = /^npm_(package|lifecycle)_|^npm_(config_local_prefix|config_prefix|command)$|^INIT_CWD$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.test(name)));
}

/** @returns {string} */
function findNode() {
  const bundled = path.join(repositoryRoot, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  const candidates =
    process.platform === 'linux' ? [bundled, process.execPath, 'node'] : [process.execPath, 'node'];
  for (const candidate of candidates) {
    const { stdout, status } = spawnSync(
      candidate,
      ['-p', 'process.execPath + "\\n" + process.versions.node'],
      { encoding: 'utf8' },
    );
    const [executable, version] = status === 0 ? stdout.trim().split('\n') : [];
    if (executable && version && Number.parseInt(version, 10) >= neededMajor) return executable;
  }
  throw new Error(
    `AgentKit's toolchain needs Node.js ${neededMajor} or newer. It comes with the dependencies on Linux (x64, arm64); ` +
      `here none could be run. Install Node.js ${neededMajor} and put it first on PATH.`,
  );
}

/**
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
function withNodeFirst(node) {
  return { ...process.env, PATH: [path.dirname(node), process.env['PATH']].join(path.delimiter) };
}
