// @ts-check
// Starts and stops a browser-served VS Code on a loopback port. Shared by `npm start` and the test tiers; plain Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} CodeServerOptions
 * @property {string} entry Entry script from `installCodeServer`.
 * @property {string} node Node 24 executable.
 * @property {NodeJS.ProcessEnv} env Environment of the server and of everything it starts.
 * @property {string} userDataDir Absolute; made when missing. Settings live in `User/settings.json` below it.
 * @property {string} extensionsDir Absolute; made when missing.
 * @property {number} [port] Loopback port; 0, the default, takes a free one.
 * @property {boolean} [workspaceTrust] Ask whether a folder is trusted. Default false: every folder is.
 * @property {boolean} [testDriver] Accept `extensionDevelopmentPath` and `extensionTestsPath`. Default false.
 * @property {(text: string) => void} [onOutput] Gets the server's own output.
 */

/**
 * @typedef {object} CodeServer
 * @property {string} origin `http://127.0.0.1:PORT`
 * @property {number} pid
 * @property {Promise<number | null>} exited The server's exit code, null when a signal ended it.
 * @property {() => Promise<void>} stop Ends the server, its extension, pty and agent hosts; returns when all are gone.
 */

/** Time for the server to answer and for its processes to end after SIGTERM, in milliseconds. */
const startTimeout = 60_000;
const stopTimeout = 10_000;

/**
 * How long the extension host of a window that was lost without a word waits for it, in seconds. A page that is reloaded
 * on a busy machine may not get its farewell out; by default its old host would go on for minutes to hours, and own what
 * it owned, beside the new window's.
 */
const reconnectionGrace = 15;

/**
 * @param {CodeServerOptions} options
 * @returns {Promise<CodeServer>}
 * @throws {Error} When the server ends or says nothing before it listens; the message holds its output.
 */
export async function startCodeServer(options) {
  const args = [options.entry, ...folderArguments(options), ...serverArguments(options)];
  // Its own process group, so that stop() reaches every host process by one number.
  const child = spawn(options.node, args, {
    env: withoutEditor(options.env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Promise<number | null>} */
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  // Also when our own process breaks off before it came to stop().
  const killNow = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
  process.once('exit', killNow);
  void exited.then(() => process.off('exit', killNow));
  try {
    const origin = await whenListening(child, options.onOutput);
    const pid = /** @type {number} */ (child.pid);
    return { origin, pid, exited, stop: () => stopGroup(pid) };
  } catch (error) {
    if (child.pid !== undefined) await stopGroup(child.pid);
    throw error;
  }
}

/**
 * Installs a packed extension into the extensions folder that a server then starts with.
 *
 * @param {Pick<CodeServerOptions, 'entry' | 'node' | 'env' | 'userDataDir' | 'extensionsDir'>} options
 * @param {string} vsix
 */
export function installExtension(options, vsix) {
  const args = [options.entry, ...folderArguments(options), '--install-extension', vsix];
  const { status, stdout, stderr } = spawnSync(options.node, args, {
    env: withoutEditor(options.env),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${vsix} could not be installed (exit ${status}):\n${stdout}${stderr}`);
}

/**
 * The address that opens a folder.
 *
 * @param {string} origin
 * @param {string} [folder] Absolute.
 * @param {[string, string][]} [payload] Further window arguments, e.g. `extensionTestsPath`; they need `testDriver`.
 */
export function workbenchUrl(origin, folder, payload = []) {
  const url = new URL('/', origin);
  if (folder) url.searchParams.set('folder', folder);
  else url.searchParams.set('ew', 'true');
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** @param {Pick<CodeServerOptions, 'userDataDir' | 'extensionsDir'>} options */
function folderArguments({ userDataDir, extensionsDir }) {
  for (const folder of [userDataDir, extensionsDir]) mkdirSync(folder, { recursive: true });
  const config = path.join(userDataDir, 'code-server.yaml');
  writeFileSync(config, 'auth: none\n');
  return ['--config', config, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
}

/** @param {CodeServerOptions} options */
function serverArguments({ port = 0, workspaceTrust = false, testDriver = false }) {
  return [
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--reconnection-grace-time', String(reconnectionGrace)],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(testDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
}

/**
 * Inside an editor's terminal these variables would make code-server talk to that editor instead of starting.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withoutEditor(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(VSCODE|ELECTRON|CODE_SERVER|CS)_|^(PASSWORD|HASHED_PASSWORD|PORT)$/.test(name),
    ),
  );
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {((text: string) => void) | undefined} onOutput
 * @returns {Promise<string>}
 */
function whenListening(child, onOutput) {
  return new Promise((resolve, reject) => {
    let output = '';
    /** @param {string} why */
    const fail = (why) => {
      clearTimeout(deadline);
      reject(new Error(`The browser-served VS Code ${why}. Its output:\n${output}`));
    };
    const deadline = setTimeout(() => fail(`did not listen within ${startTimeout / 1000} s`), startTimeout);
    child.once('error', (error) => fail(`could not be started (${error.message})`));
    child.once('exit', (code) => fail(`ended before it listened (exit ${code})`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        onOutput?.(text);
        output = (output + text).slice(-20_000);
        const origin = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
        if (!origin) return;
        clearTimeout(deadline);
        resolve(origin);
      });
    }
  });
}

/**
 * Ends a process group: SIGTERM, and SIGKILL for what is left at the deadline.
 *
 * @param {number} pid Leader of the group.
 */
async function stopGroup(pid) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    signalGroup(pid, signal);
    const deadline = Date.now() + stopTimeout;
    while (Date.now() < deadline) {
      if (!signalGroup(pid, 0)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} False when the group has no member any more.
 */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
