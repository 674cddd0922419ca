import { readdirSync, readFileSync } from 'node:fs';
import type { Platform, ProcessEntry } from './platform.ts';

/** Reads /proc. */
export const linux: Platform = {
  boot: () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),

  find(pid) {
    const stat = read(`/proc/${pid}/stat`);
    return stat === null ? null : parseStat(stat);
  },

  list() {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => linux.find(Number(name)) ?? []);
  },

  variable(pid, name) {
    const environment = read(`/proc/${pid}/environ`);
    const entry = environment?.split('\0').find((line) => line.startsWith(`${name}=`));
    return entry?.slice(name.length + 1) ?? null;
  },
};

/** Reads a line of /proc/<pid>/stat (proc(5)); the name in parentheses may itself hold spaces and parentheses. */
export function parseStat(stat: string): ProcessEntry {
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid: parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    // Field 22, in clock ticks since the boot.
    started: rest[16] ?? '',
    zombie: state === 'Z' || state === 'X',
  };
}

/** Content of a file of /proc; null when the process is gone or belongs to somebody else. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
