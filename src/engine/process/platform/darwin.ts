import type { Platform, ProcessEntry } from './platform.ts';

const columns = ['-o', 'pid=,ppid=,pgid=,stat=,lstart='];

/**
 * Asks `ps` and `sysctl`. Start times have a resolution of one second, and the environment of other processes is
 * not readable, so a process of another attempt below ours cannot be told apart here.
 */
export const darwin: Platform = {
  boot: () => run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim(),
  find: (pid) => parsePs(run('/bin/ps', ['-p', String(pid), ...columns]))[0] ?? null,
  list: () => parsePs(run('/bin/ps', ['-A', ...columns])),
  variable: () => null,
};

/** Reads the lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(output: string): ProcessEntry[] {
  return output.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [pid, parent, group, state, ...started] = fields;
    return started.length > 0 && state !== undefined
      ? {
          pid: Number(pid),
          parent: Number(parent),
          group: Number(group),
          started: started.join(' '),
          zombie: state.startsWith('Z'),
        }
      : [];
  });
}

/** Output of a program; empty when it found nothing. */
function run(program: string, args: string[]): string {
  try {
    // Loaded here: Linux, which has the same bundles, never needs it.
    return process.getBuiltinModule('node:child_process').execFileSync(program, args, {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
