import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';

let started = 0;
subscribe('child_process', () => (started += 1));

/** How many processes this one has started since this file was loaded. */
export function childrenStarted(): number {
  return started;
}

/** Memory and open files of this process, and how many others work for a world: they name its folder. */
export function processFigures(root: string): string {
  const { rss, heapUsed } = process.memoryUsage();
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes(root));
  const files = readdirSync('/proc/self/fd').length;
  return `${mib(rss)} resident, ${mib(heapUsed)} heap, ${files} open files, ${others.length} other processes`;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
