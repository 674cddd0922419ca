// @ts-check
// Finds processes by a mark in their environment, which every descendant inherits, detached ones too. Linux only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * @param {string} mark `NAME=value`, unique to what started the processes.
 * @returns {{ pid: number, command: string }[]} Empty where there is no /proc.
 */
export function findMarked(mark) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      // A process that went away meanwhile, or a zombie, has nothing to read.
      if (!read(`/proc/${name}/environ`).includes(mark)) return [];
      return [{ pid: Number(name), command: read(`/proc/${name}/cmdline`).join(' ').trim() }];
    });
}

/**
 * Waits for marked processes to end by themselves, then kills the rest.
 *
 * @param {string} mark
 * @param {number} patience Milliseconds.
 * @returns {Promise<{ pid: number, command: string }[]>} What had to be killed.
 */
export async function endMarked(mark, patience) {
  const deadline = Date.now() + patience;
  let left = findMarked(mark);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = findMarked(mark);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the look and the kill.
    }
  }
  return left;
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function read(file) {
  try {
    return readFileSync(file, 'utf8').split('\0');
  } catch {
    return [];
  }
}
