// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../toolchain.mjs';
import { withoutEditor } from './withoutEditor.mjs';

/** The oldest VS Code minor that loads the extension: `engines.vscode` in package.json. */
const neededMinor = 138;

/** How long a download may stand still, in milliseconds. */
const downloadTimeout = 10_000;

/**
 * A desktop VS Code: the user's own `code`, else a downloaded one.
 *
 * @param {{ env: NodeJS.ProcessEnv }} toolchain
 * @returns {Promise<string | undefined>} A command to start it; undefined when there is none, with the reason printed.
 */
export async function findDesktop({ env }) {
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    console.error('There is no display here for a desktop VS Code.');
    return undefined;
  }
  return findOwn(env) ?? (await download());
}

/**
 * `code` on PATH, when it is a desktop VS Code that is new enough. In a remote terminal `code` is only a messenger.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function findOwn(env) {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter).filter((each) => each !== '')) {
    const code = path.join(folder, process.platform === 'win32' ? 'code.cmd' : 'code');
    if (!existsSync(code) || realpathSync(code).includes('remote-cli')) continue;
    const { status, stdout } = spawnSync(code, ['--version'], { env: withoutEditor(env), encoding: 'utf8' });
    // A desktop `code` prints version, commit and architecture, a line each; other programs of that name do not.
    const version = status === 0 ? /^1\.(\d+)\.\d+\S*\n[0-9a-f]{40}\n/.exec(stdout) : null;
    if (version && Number(version[1]) >= neededMinor) return code;
    console.error(version ? `${code} is older than 1.${neededMinor}.` : `${code} is not a desktop VS Code.`);
  }
  return undefined;
}

async function download() {
  console.error('Downloading VS Code…');
  const module = path.join(repositoryRoot, 'node_modules', '@vscode', 'test-electron', 'out', 'index.js');
  try {
    const { downloadAndUnzipVSCode, SilentReporter } = await import(pathToFileURL(module).href);
    const cachePath = path.join(repositoryRoot, '.vscode-test');
    return await downloadAndUnzipVSCode({
      version: 'stable',
      cachePath,
      timeout: downloadTimeout,
      reporter: new SilentReporter(),
    });
  } catch (error) {
    console.error(`VS Code could not be downloaded (${error instanceof Error ? error.message : error}).`);
    return undefined;
  }
}
