// @ts-check
// Finds the Chromium that shows a browser-served workbench; installs Debian's where that is possible.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments that a headless Chromium needs in containers, without talking to anybody but our own server. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The browser's executable: AGENTKIT_CHROMIUM, else Chromium or Chrome on PATH.
 *
 * @returns {string | undefined}
 */
export function findBrowser() {
  const named = process.env['AGENTKIT_CHROMIUM'];
  if (named) return isExecutable(named) ? named : undefined;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...onPath, ...macApplications].find(isExecutable);
}

/**
 * Finds the browser, or installs it with apt-get when we are root on Debian.
 *
 * @returns {string}
 * @throws {Error} When there is none and it cannot be installed; the message says what to do.
 */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  const named = process.env['AGENTKIT_CHROMIUM'];
  if (named)
    throw new Error(
      `AGENTKIT_CHROMIUM names ${named}, which is not an executable file. Correct or unset it.`,
    );
  if (process.getuid?.() === 0) installWithApt(['chromium', 'fonts-dejavu-core']);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'No Chromium or Chrome was found. Install one (Debian and Ubuntu: "apt-get install chromium" as root), ' +
      'or set AGENTKIT_CHROMIUM to its executable.',
  );
}

/** @param {string[]} packages */
function installWithApt(packages) {
  console.error(`Installing ${packages.join(', ')} with apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status } = spawnSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 2, 2] });
    if (status !== 0) return;
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
