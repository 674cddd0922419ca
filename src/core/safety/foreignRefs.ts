import type { ForeignChange } from '../run/rescue.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { AllowedChanges } from './foreignChanges.ts';

const heads = 'refs/heads/';
const rescues = 'refs/agentkit/rescue/';

type Refs = Fingerprint['refs'];

/**
 * The refs that somebody else moved. A branch of a lane may go anywhere by its own agent's hand, but not become another
 * name for a branch that is not its own. New refs of AgentKit are those of other runs and take nothing away.
 */
export function foreignRefs(before: Refs, after: Refs, allowed: AllowedChanges): ForeignChange[] {
  const { ours, rescues: known } = allowed;
  const names = new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(ours)]);
  Object.keys(known).forEach((name) => names.add(name));
  return [...names].sort().flatMap((name) => {
    const now = after[name];
    const due = ours[name] === null ? undefined : (ours[name] ?? known[name] ?? before[name]);
    if (now === due || isFree(name, due, now, allowed)) return [];
    if (name.startsWith(rescues)) {
      return due === undefined && !(name in ours)
        ? []
        : { what: 'rescue', name, message: rescueMessage(name, due, now) };
    }
    return { what: 'ref', name, message: refMessage(name, due, now) };
  });
}

function isFree(
  name: string,
  due: string | undefined,
  now: string | undefined,
  allowed: AllowedChanges,
): boolean {
  if (!name.startsWith(heads) || now?.startsWith('ref: ')) return false;
  const branch = name.slice(heads.length);
  if (branch === allowed.ownBranch) return true;
  return allowed.busyBranches.includes(branch) && (now !== undefined || due === undefined);
}

function rescueMessage(name: string, due: string | undefined, now: string | undefined): string {
  if (due === undefined) return `The rescue ${name} was to be gone and is there again, at ${now}`;
  const what = now === undefined ? 'was deleted' : `was moved to ${now}`;
  return `The rescue ${name} ${what}; what it keeps is at ${due}`;
}

function refMessage(name: string, due: string | undefined, now: string | undefined): string {
  if (name === 'refs/stash') {
    return `The stash, which all checkouts share, was changed${due === undefined ? '' : `; it was at ${due}`}. If you did that yourself, all is well; an agent that stashes puts its work, or takes yours, where every checkout does`;
  }
  if (now === undefined) return `${name} was deleted; bring it back: git update-ref ${name} ${due}`;
  if (now.startsWith('ref: '))
    return `${name} was made another name for ${now.slice('ref: '.length)}${was(due)}`;
  if (due === undefined) {
    const fetched = name.startsWith('refs/tags/') ? ', as a fetch does too' : '';
    return `${name} was created at ${now}${fetched}`;
  }
  return `${name} was moved to ${now}${was(due)}`;
}

function was(due: string | undefined): string {
  return due === undefined ? '' : `; it was at ${due}`;
}
