// @ts-check
// Puts npm packages into a cache folder once, whole or not at all.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment, spawnNpm } from './toolchain.mjs';

/** Written last, so a folder without it is half an installation. */
const marker = 'installed';

const stagingPrefix = 'installing-';

/**
 * Makes the folder `name` below the cache folder, unless it is there and whole. The work happens in a folder of our
 * process's own that is renamed when it is whole, so an interrupted or a second installation at the same time does no
 * harm.
 *
 * @param {string} cacheFolder Absolute; made when missing.
 * @param {string} name Says the versions too.
 * @param {(staging: string) => void} fill Gets a folder with an empty package in it.
 * @returns {string} The whole folder.
 * @throws {Error} What `fill` throws.
 */
export function installOnce(cacheFolder, name, fill) {
  const final = path.join(cacheFolder, name);
  mkdirSync(cacheFolder, { recursive: true });
  removeAbandoned(cacheFolder);
  if (existsSync(path.join(final, marker))) return final;
  console.error(`Installing ${name}, once…`);
  const staging = path.join(cacheFolder, `${stagingPrefix}${name}-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  writeFileSync(path.join(staging, 'package.json'), '{ "private": true }\n');
  fill(staging);
  writeFileSync(path.join(staging, marker), `${name}\n`);
  if (existsSync(path.join(final, marker))) rmSync(staging, { recursive: true });
  else replace(staging, final);
  return final;
}

/**
 * Install scripts stay off; whoever needs one runs that one.
 *
 * @param {string[]} packages
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @throws {Error} When npm fails.
 */
export function npmInstall(packages, cwd, env) {
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--save-exact'];
  const { status, error } = spawnNpm(['install', ...flags, ...packages], { cwd, env: npmEnvironment(env) });
  if (error || status !== 0)
    throw new Error(
      `npm install failed in ${cwd} (${error?.message ?? `exit ${status}`}). Its output is above.`,
    );
}

/**
 * Removes what an installer that is gone left half done.
 *
 * @param {string} cacheFolder
 */
function removeAbandoned(cacheFolder) {
  for (const name of readdirSync(cacheFolder)) {
    const pid = Number(name.slice(name.lastIndexOf('-') + 1));
    if (!name.startsWith(stagingPrefix) || isAlive(pid)) continue;
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
 */
function replace(staging, final) {
  rmSync(final, { recursive: true, force: true });
  renameSync(staging, final);
}
