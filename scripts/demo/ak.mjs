// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from '../toolchain.mjs';

/**
 * @typedef {object} Place Where `ak` runs and with what.
 * @property {import('./makeDemo.mjs').Demo} demo
 * @property {{ node: string, env: NodeJS.ProcessEnv }} toolchain
 */

/** @param {Place} place */
export function demoEnvironment({ demo, toolchain }) {
  return { ...toolchain.env, ...demo.env };
}

/**
 * Runs the built `ak --json` in the demo repository; what it tells people goes to our stderr.
 *
 * @param {Place} place
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, answer: any }>} `answer`: its JSON; null when it gave none.
 */
export function runAk(place, args) {
  const child = spawn(place.toolchain.node, [path.join(repositoryRoot, 'dist', 'ak.js'), ...args, '--json'], {
    cwd: place.demo.repository,
    env: demoEnvironment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
    // A terminal's Ctrl+C is ours to handle: the run is stopped through `ak`, once.
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, answer: parse(output) }));
  });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
