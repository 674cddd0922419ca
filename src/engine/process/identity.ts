import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

let boot: string | undefined;

/** Who a process is: its id alone may be given to another one later. Null when there is no such process. */
export function processIdentity(pid: number): ProcessIdentity | null {
  const entry = platform.find(pid);
  return entry && identityOf(entry);
}

/** The identity of a listed process. */
export function identityOf(entry: ProcessEntry): ProcessIdentity {
  boot ??= platform.boot();
  return { pid: entry.pid, started: entry.started, boot };
}

/** Whether exactly this process still runs; one that ended and was not collected yet counts as dead. */
export function isAlive(identity: ProcessIdentity): boolean {
  const entry = platform.find(identity.pid);
  return entry !== null && !entry.zombie && sameProcess(identityOf(entry), identity);
}

export function sameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.started === other.started && one.boot === other.boot;
}
