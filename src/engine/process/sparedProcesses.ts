import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { descendantsOf } from './descendants.ts';
import { identityOf, sameProcess } from './identity.ts';
import { platform, type ProcessEntry } from './platform/platform.ts';

/** Our own programs among the built ones, by the script that Node runs: `ak` in one of its pieces, and the supervisor. */
const ownScript = /^(ak|ak-[\w-]+|supervisor)\.(c|m)?js$/;

/**
 * Ids of processes that are never anybody's leftovers, whatever mark they inherited: this one, what it descends from
 * and what it started; the owners of runs, `ak` and supervisors with what they started.
 * @param dist the folder of the built programs
 */
export function sparedProcesses(
  entries: readonly ProcessEntry[],
  owners: readonly ProcessIdentity[],
  dist: string,
): Set<number> {
  const isOwner = (entry: ProcessEntry) => owners.some((owner) => sameProcess(identityOf(entry), owner));
  const roots = entries.filter(
    (entry) => entry.pid === process.pid || isOwner(entry) || isOwnProgram(entry.pid, dist),
  );
  const below = [...roots, ...descendantsOf(roots, entries)];
  return new Set([...below.map(({ pid }) => pid), ...ancestorsOf(process.pid, entries)]);
}

/** The name alone says nothing: an agent may have a `supervisor.js` of its own. */
function isOwnProgram(pid: number, dist: string): boolean {
  const [, ...args] = platform.command(pid);
  const script = args.find((word) => !word.startsWith('-'));
  if (script === undefined || !ownScript.test(basename(script))) return false;
  return dirname(realOf(resolve(platform.folder(pid) ?? '/', script))) === realOf(dist);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function ancestorsOf(pid: number, entries: readonly ProcessEntry[]): number[] {
  const parents = new Map(entries.map((entry) => [entry.pid, entry.parent]));
  const found: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0 && !found.includes(at); at = parents.get(at)) {
    found.push(at);
  }
  return found;
}
