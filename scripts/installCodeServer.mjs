// @ts-check
// Puts code-server, a whole VS Code served to a browser, into a cache folder.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment, spawnNpm } from './toolchain.mjs';

/** 4.139.1 is VS Code 1.139.1. */
const version = '4.139.1';

/** Written last, so a folder without it is half an installation. */
const marker = 'installed';

/**
 * Installs code-server once. The work happens in a folder of our process's own that is renamed when it is whole, so an
 * interrupted or a second installation at the same time does no harm.
 *
 * @param {string} cacheFolder Absolute; made when missing.
 * @param {NodeJS.ProcessEnv} env Must have Node 24 first on PATH.
 * @returns {string} code-server's entry script, to be run with Node 24.
 * @throws {Error} When npm fails.
 */
export function installCodeServer(cacheFolder, env) {
  const final = path.join(cacheFolder, `code-server-${version}`);
  mkdirSync(cacheFolder, { recursive: true });
  removeAbandoned(cacheFolder);
  if (!existsSync(path.join(final, marker))) {
    build(path.join(cacheFolder, `${stagingPrefix}${process.pid}`), final, npmEnvironment(env));
  }
  return path.join(packageFolder(final), 'out', 'node', 'entry.js');
}

const stagingPrefix = 'installing-code-server-';

/** @param {string} installation */
const packageFolder = (installation) => path.join(installation, 'node_modules', 'code-server');

/**
 * Removes what an installer that is gone left half done.
 *
 * @param {string} cacheFolder
 */
function removeAbandoned(cacheFolder) {
  for (const name of readdirSync(cacheFolder)) {
    if (!name.startsWith(stagingPrefix) || isAlive(Number(name.slice(stagingPrefix.length)))) continue;
    rmSync(path.join(cacheFolder, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * @param {string} staging
 * @param {string} final
 * @param {NodeJS.ProcessEnv} env
 */
function build(staging, final, env) {
  console.error(`Installing the browser-served VS Code (code-server ${version}), once…`);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  writeFileSync(path.join(staging, 'package.json'), '{ "private": true }\n');
  const vscode = path.join(packageFolder(staging), 'lib', 'vscode');
  npmInstall([`code-server@${version}`], staging, env);
  npmInstall([], vscode, env);
  npmInstall([], path.join(vscode, 'extensions'), env);
  writeFileSync(path.join(staging, marker), `${version}\n`);
  if (existsSync(path.join(final, marker))) rmSync(staging, { recursive: true });
  else replace(staging, final);
}

/**
 * @param {string} staging
 * @param {string} final
 */
function replace(staging, final) {
  rmSync(final, { recursive: true, force: true });
  renameSync(staging, final);
}

/**
 * Its own install scripts compile native modules that nothing here needs, so they stay off.
 *
 * @param {string[]} packages
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
function npmInstall(packages, cwd, env) {
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--save-exact'];
  const { status, error } = spawnNpm(['install', ...flags, ...packages], { cwd, env });
  if (error || status !== 0)
    throw new Error(
      `npm install failed in ${cwd} (${error?.message ?? `exit ${status}`}). Its output is above.`,
    );
}
