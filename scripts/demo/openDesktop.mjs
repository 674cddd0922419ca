// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../toolchain.mjs';
import { demoEnvironment } from './ak.mjs';
import { withoutEditor } from './withoutEditor.mjs';

/** Time for the window to come up, and to close when asked, in milliseconds. */
const startTimeout = 60_000;
const stopTimeout = 10_000;

/**
 * Opens a desktop VS Code of its own: own settings, own extensions, so its process is ours to end.
 *
 * @param {string} command
 * @param {import('./ak.mjs').Place} place
 * @param {{ userDataDir: string, extensionsDir: string }} folders
 * @returns {Promise<import('./showInEditor.mjs').Editor>}
 */
export async function openDesktop(command, place, { userDataDir, extensionsDir }) {
  const args = [
    ...['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir],
    ...[`--extensionDevelopmentPath=${repositoryRoot}`, '--disable-workspace-trust', '--new-window'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    place.demo.repository,
    place.demo.plan,
  ];
  // `code` hands over to the real process and ends; that one names itself in `code.lock`.
  const child = spawn(command, args, {
    env: withoutEditor(demoEnvironment(place)),
    detached: true,
    stdio: 'ignore',
  });
  /** @type {string | undefined} */
  let failure;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code) => (failure = code ? `exit ${code}` : undefined));
  const lock = path.join(userDataDir, 'code.lock');
  await until(() => isAlive(readPid(lock)) || failure !== undefined, startTimeout);
  const pid = readPid(lock);
  if (pid === undefined || !isAlive(pid))
    throw new Error(`${command} did not open a window (${failure ?? 'no answer'}).`);
  return {
    closed: until(() => !isAlive(pid)),
    stop: async () => {
      for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
        if (isAlive(pid)) process.kill(pid, signal);
        await until(() => !isAlive(pid), stopTimeout);
      }
    },
  };
}

/** @param {string} file */
function readPid(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number | undefined} pid */
function isAlive(pid) {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * @param {() => boolean} condition
 * @param {number} [timeout]
 */
async function until(condition, timeout = Infinity) {
  const deadline = Date.now() + timeout;
  while (!condition() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 250));
}
