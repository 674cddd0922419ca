import { basename } from 'node:path';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { descendantsOf } from './descendants.ts';
import { identityOf, sameProcess } from './identity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

/** Our own programs, by the script that Node runs: `ak` in one of its pieces, and the supervisor. */
const ownScript = /^(ak|ak-[\w-]+|supervisor)\.(c|m)?js$/;

/**
 * Ids of processes that are never anybody's leftovers, whatever mark they inherited: this one, what it descends from
 * and what it started; the owners of runs, `ak` and supervisors with what they started.
 */
export function sparedProcesses(
  entries: readonly ProcessEntry[],
  owners: readonly ProcessIdentity[],
): Set<number> {
  const isOwner = (entry: ProcessEntry) => owners.some((owner) => sameProcess(identityOf(entry), owner));
  const roots = entries.filter(
    (entry) => entry.pid === process.pid || isOwner(entry) || isOwnProgram(platform.command(entry.pid)),
  );
  const below = [...roots, ...descendantsOf(roots, entries)];
  return new Set([...below.map(({ pid }) => pid), ...ancestorsOf(process.pid, entries)]);
}

function isOwnProgram(command: readonly string[]): boolean {
  const [, ...args] = command;
  const script = args.find((word) => !word.startsWith('-'));
  return script !== undefined && ownScript.test(basename(script));
}

function ancestorsOf(pid: number, entries: readonly ProcessEntry[]): number[] {
  const parents = new Map(entries.map((entry) => [entry.pid, entry.parent]));
  const found: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0 && !found.includes(at); at = parents.get(at)) {
    found.push(at);
  }
  return found;
}
