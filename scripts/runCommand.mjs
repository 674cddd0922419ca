// @ts-check
import { spawn } from 'node:child_process';
import { repositoryRoot } from './toolchain.mjs';

/** From the interrupt at the ceiling to the kill, in milliseconds: time for a test runner's own clean-up. */
const grace = 20_000;

/**
 * Runs one Node command line in the repository with its output on ours.
 *
 * @param {{ node: string, env: NodeJS.ProcessEnv }} toolchain
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, ceiling?: number }} [options] `ceiling`: seconds after which it is ended.
 * @returns {Promise<number>} Its exit code; 1 when a signal ended it or it could not start.
 */
export function runCommand(toolchain, args, { env = {}, ceiling } = {}) {
  const child = spawn(toolchain.node, args, {
    cwd: repositoryRoot,
    env: { ...toolchain.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  if (ceiling !== undefined) {
    const end = () => {
      console.error(`Not done after ${ceiling} s; ended: ${args.join(' ')}`);
      child.kill('SIGINT');
      timers.push(setTimeout(() => child.kill('SIGKILL'), grace));
    };
    timers.push(setTimeout(end, ceiling * 1000));
  }
  let interrupted = false;
  // A terminal's Ctrl+C reaches the child too: we wait for its clean-up, and then go ourselves.
  const wait = () => {
    interrupted = true;
  };
  process.on('SIGINT', wait);
  return new Promise((resolve) => {
    /** @param {number} code */
    const finish = (code) => {
      process.off('SIGINT', wait);
      timers.forEach(clearTimeout);
      if (interrupted) process.kill(process.pid, 'SIGINT');
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      finish(1);
    });
    child.once('exit', (code) => finish(code ?? 1));
  });
}
