// @ts-check
// Puts code-server, a whole VS Code served to a browser, into a cache folder.
import path from 'node:path';
import { installOnce, npmInstall } from './installOnce.mjs';

/** 4.139.1 is VS Code 1.139.1. */
const version = '4.139.1';

/**
 * Its own install scripts compile native modules that nothing here needs, so they stay off.
 *
 * @param {string} cacheFolder Absolute; made when missing.
 * @param {NodeJS.ProcessEnv} env Must have Node 24 first on PATH.
 * @returns {string} code-server's entry script, to be run with Node 24.
 * @throws {Error} When npm fails.
 */
export function installCodeServer(cacheFolder, env) {
  const folder = installOnce(cacheFolder, `code-server-${version}`, (staging) => {
    const vscode = path.join(packageFolder(staging), 'lib', 'vscode');
    npmInstall([`code-server@${version}`], staging, env);
    npmInstall([], vscode, env);
    npmInstall([], path.join(vscode, 'extensions'), env);
  });
  return path.join(packageFolder(folder), 'out', 'node', 'entry.js');
}

/** @param {string} installation */
const packageFolder = (installation) => path.join(installation, 'node_modules', 'code-server');
