import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listeningPorts } from './linuxPorts.ts';
import type { Platform, ProcessEntry, ProcessUsage } from './platform.ts';

/** Clock ticks in a second, as /proc counts CPU time on every architecture that Node runs on. */
const ticksPerS = 100;

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

  command(pid) {
    // Every argument is ended by a zero byte.
    return read(`/proc/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? [];
  },

  folder(pid) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return null;
    }
  },

  usage(pids) {
    return new Map(pids.flatMap((pid) => usageOf(pid)));
  },

  ports: (pids) => listeningPorts(pids),
};

/** Reads a line of /proc/<pid>/stat (proc(5)); the name in parentheses may itself hold spaces and parentheses. */
export function parseStat(stat: string): ProcessEntry {
  const [state, parent, group, ...rest] = fieldsOf(stat);
  return {
    pid: parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    // Field 22, in clock ticks since the boot.
    started: rest[16] ?? '',
    zombie: state === 'Z' || state === 'X',
  };
}

/** CPU seconds from the same line: fields 14 to 17, its own and those of children that it has waited for. */
export function parseCpuS(stat: string): number {
  const ticks = fieldsOf(stat).slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerS;
}

/** The fields from the third on. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function usageOf(pid: number): [number, ProcessUsage][] {
  const [stat, status] = [read(`/proc/${pid}/stat`), read(`/proc/${pid}/status`)];
  if (stat === null || status === null) return [];
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
  return [[pid, { cpuS: parseCpuS(stat), rssBytes: Number(kib ?? 0) * 1024 }]];
}

/** Content of a file of /proc; null when the process is gone or belongs to somebody else. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
