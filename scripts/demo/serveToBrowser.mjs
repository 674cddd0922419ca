// @ts-check
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startCodeServer, workbenchUrl } from '../codeServer.mjs';
import { installCodeServer } from '../installCodeServer.mjs';
import { repositoryRoot } from '../toolchain.mjs';
import { demoEnvironment } from './ak.mjs';

/**
 * Serves a VS Code with the extension on a loopback port and prints its address.
 *
 * @param {import('./ak.mjs').Place} place
 * @param {{ userDataDir: string, extensionsDir: string }} folders
 * @returns {Promise<import('./showInEditor.mjs').Editor>}
 */
export async function serveToBrowser(place, folders) {
  const { node, env } = place.toolchain;
  const entry = installCodeServer(path.join(repositoryRoot, '.vscode-test'), env);
  copyExtension(folders.extensionsDir);
  const server = await startCodeServer({ entry, node, env: demoEnvironment(place), ...folders });
  /** @type {[string, string][]} */
  const payload = [['openFile', `vscode-remote://${new URL(server.origin).host}${uriPath(place.demo.plan)}`]];
  console.error('VS Code is served to your browser; open this address:');
  console.log(workbenchUrl(server.origin, place.demo.repository, payload));
  return { closed: server.exited, stop: server.stop };
}

/** @param {string} file Absolute. */
function uriPath(file) {
  return file.split(path.sep).map(encodeURIComponent).join('/');
}

/** @param {string} extensionsDir */
function copyExtension(extensionsDir) {
  const manifest = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8'));
  const folder = path.join(extensionsDir, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  for (const name of ['package.json', 'package.nls.json', 'dist', 'media']) {
    cpSync(path.join(repositoryRoot, name), path.join(folder, name), { recursive: true });
  }
}
