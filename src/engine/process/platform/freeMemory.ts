import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';

/** The parts of a machine that tell how much memory is free; other roots than `/` are those of tests. */
export interface MemoryFiles {
  /** Holds `proc` and `sys`. */
  root: string;
  /** What the machine has free where `proc` does not say; in bytes. */
  otherwise: () => number;
}

/**
 * Bytes of memory that new processes may take before others have to give theirs up: what the kernel counts as available,
 * and no more than the control groups around this process leave. On macOS what is wholly free, which is less.
 */
export function freeMemory(files: MemoryFiles = { root: '/', otherwise: freemem }): number {
  const [, kib] = /^MemAvailable:\s*(\d+) kB$/m.exec(read(join(files.root, 'proc/meminfo')) ?? '') ?? [];
  const machine = kib === undefined ? files.otherwise() : Number(kib) * 1024;
  return Math.max(0, Math.min(machine, ...groupFolders(files.root).map(roomIn)));
}

interface GroupFolder {
  folder: string;
  names: typeof v2;
}

const v2 = { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m };
const v1 = {
  limit: 'memory.limit_in_bytes',
  used: 'memory.usage_in_bytes',
  cache: /^total_inactive_file (\d+)$/m,
};

/** The group of this process and every group around it, each of which may have a limit (cgroups(7)). */
function groupFolders(root: string): GroupFolder[] {
  const lines = (read(join(root, 'proc/self/cgroup')) ?? '').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const mount = join(root, 'sys/fs/cgroup');
    if (controllers === '') return upwards(mount, path, v2);
    return controllers.split(',').includes('memory') ? upwards(join(mount, 'memory'), path, v1) : [];
  });
}

/** Inside a container the path may be that of the host and not be there; its own group is then the mount itself. */
function upwards(mount: string, path: string, names: typeof v2): GroupFolder[] {
  const folders: GroupFolder[] = [];
  for (let at = path; ; at = dirname(at)) {
    folders.push({ folder: join(mount, at), names });
    if (at === '/' || at === '.' || at === '') return folders;
  }
}

/** What a group may still take; file pages that nobody uses give way. Without a limit, or unreadable: no bound. */
function roomIn({ folder, names }: GroupFolder): number {
  const limit = Number(read(join(folder, names.limit)) ?? NaN);
  const used = Number(read(join(folder, names.used)) ?? NaN);
  if (!Number.isFinite(limit) || !Number.isFinite(used)) return Infinity;
  const [, cache = '0'] = names.cache.exec(read(join(folder, 'memory.stat')) ?? '') ?? [];
  return limit - used + Math.min(Number(cache), used);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
