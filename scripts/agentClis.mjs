// @ts-check
// The agent CLIs that the tests drive, in a cache folder: pinned, and never the ones of the machine.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installOnce, npmInstall } from './installOnce.mjs';
import { repositoryRoot } from './toolchain.mjs';

/** Versions whose streams and signals were measured. */
const claude = '2.1.332';
const codex = '0.171.0';
const pi = '1.6.0';
const gemini = '0.61.0';
const opencode = '1.18.33';

/**
 * Installs the CLIs when they are not there.
 *
 * @param {NodeJS.ProcessEnv} env Must have Node 24 first on PATH.
 * @returns {{ bin: string, versions: { claude: string, codex: string, pi: string } }} Folder with the executables, for PATH, and what each
 *   says of its version.
 * @throws {Error} When npm fails or a CLI does not start.
 */
export function installAgentClis(env) {
  const cacheFolder = path.join(repositoryRoot, '.vscode-test');
  const folder = installOnce(cacheFolder, `agents-claude-${claude}-codex-${codex}-pi-${pi}`, (staging) => {
    const packages = [
      `@anthropic-ai/claude-code@${claude}`,
      `@openai/codex@${codex}`,
      `@earendil-works/pi-coding-agent@${pi}`,
    ];
    npmInstall(packages, staging, env);
    // Claude Code's own script puts the native program in place of a stub; it downloads nothing.
    const script = path.join(staging, 'node_modules', '@anthropic-ai', 'claude-code', 'install.cjs');
    run(process.execPath, [script], env);
  });
  const bin = path.join(folder, 'node_modules', '.bin');
  const version = (/** @type {string} */ name) => run(path.join(bin, name), ['--version'], env);
  return { bin, versions: { claude: version('claude'), codex: version('codex'), pi: version('pi') } };
}

/**
 * Installs the CLIs that are driven by few tests, in a folder of their own.
 *
 * @param {NodeJS.ProcessEnv} env Must have Node 24 first on PATH.
 * @returns {{ bin: string, versions: { gemini: string, opencode: string } }} As `installAgentClis`.
 * @throws {Error} When npm fails or a CLI does not start.
 */
export function installMoreAgentClis(env) {
  const cacheFolder = path.join(repositoryRoot, '.vscode-test');
  const folder = installOnce(cacheFolder, `agents-gemini-${gemini}-opencode-${opencode}`, (staging) => {
    npmInstall([`@google/gemini-cli@${gemini}`, `opencode-ai@${opencode}`], staging, env);
    // OpenCode's own script puts the native program in place of a stub; it downloads nothing.
    const script = path.join(staging, 'node_modules', 'opencode-ai', 'postinstall.mjs');
    run(process.execPath, [script], env);
  });
  const bin = path.join(folder, 'node_modules', '.bin');
  // Both make folders in the home of who asks them.
  const home = path.join(folder, 'home');
  const version = (/** @type {string} */ name) =>
    run(path.join(bin, name), ['--version'], { PATH: env['PATH'], HOME: home });
  return { bin, versions: { gemini: version('gemini'), opencode: version('opencode') } };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} What it printed, trimmed.
 */
function run(command, args, env) {
  const { stdout, stderr, status, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (error || status !== 0)
    throw new Error(`${command} failed (${error?.message ?? `exit ${status}`}): ${stderr}`);
  return stdout.trim();
}
