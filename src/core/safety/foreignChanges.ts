import type { ForeignChange } from '../run/rescue.ts';
import { hiddenState, type Fingerprint } from './fingerprint.ts';
import { foreignRefs } from './foreignRefs.ts';

export interface AllowedChanges {
  /** The lane's branch, without `refs/heads/`. */
  ownBranch: string;
  /** Branches of other lanes that their own agents, or AgentKit, may have moved meanwhile. */
  busyBranches: readonly string[];
  /** Refs that AgentKit itself moved, by full name: where each must be now, null when it must be gone. */
  ours: Readonly<Record<string, string | null>>;
  /** Every rescue that is known, by ref: the commit it must be at. */
  rescues: Readonly<Record<string, string>>;
}

/**
 * What changed between two fingerprints that neither the lane's own agent was free to change, nor AgentKit or another
 * lane did. Empty when nothing did. A person may have done it; that only they can tell.
 */
export function foreignChanges(
  before: Fingerprint,
  after: Fingerprint,
  allowed: AllowedChanges,
): ForeignChange[] {
  return [
    ...foreignRefs(before.refs, after.refs, allowed),
    ...foreignConfig(before, after, allowed),
    ...foreignHooks(before.hooks, after.hooks),
    ...foreignMain(before, after),
  ];
}

function foreignConfig(before: Fingerprint, after: Fingerprint, allowed: AllowedChanges): ForeignChange[] {
  const branches = [allowed.ownBranch, ...allowed.busyBranches];
  const free = (name: string) => branches.some((branch) => name.startsWith(`branch.${branch}.`));
  const values = compare(before.config.values, after.config.values)
    .filter(({ name }) => !free(name) && !(name === 'core.bare' && flipped(before, after)))
    .map(({ name, how }) => ({
      what: 'config' as const,
      name,
      message: `The setting ${name}, which all checkouts of the repository share, was ${how}; look at it: git config --show-origin --get-all ${name}`,
    }));
  const files = compare(before.config.files, after.config.files).map(({ name, how }) => ({
    what: 'config' as const,
    name,
    message: `${name} in git's common directory, which all checkouts share, was ${how}`,
  }));
  return [...(flipped(before, after) ? [bareAgain] : []), ...values, ...files];
}

const bareAgain: ForeignChange = {
  what: 'config',
  name: 'core.bare',
  message:
    'core.bare was set to true, so git takes every file of the main checkout for deleted; undo it there: git config core.bare false',
};

function flipped(before: Fingerprint, after: Fingerprint): boolean {
  return after.config.bare && !before.config.bare;
}

/** A folder that is used no more, or anew, is told as the setting that names it. */
function foreignHooks(before: Fingerprint['hooks'], after: Fingerprint['hooks']): ForeignChange[] {
  return Object.keys(before).flatMap((folder) => {
    const now = after[folder];
    if (now === undefined) return [];
    return compare(before[folder] ?? {}, now).map(({ name, how }) => ({
      what: 'hooks' as const,
      name: `${folder}/${name}`,
      message: `${name} in ${folder}, from where git runs hooks in every checkout, was ${how}`,
    }));
  });
}

function foreignMain({ main: before }: Fingerprint, { main: after }: Fingerprint): ForeignChange[] {
  if (before === null || after === null) return [];
  const head: ForeignChange[] =
    before.head === after.head
      ? []
      : [
          {
            what: 'main',
            name: 'HEAD',
            message: `The main checkout was switched from ${shown(before.head)} to ${shown(after.head)}`,
          },
        ];
  const files = compare(before.files, after.files).map(({ name, how }) => ({
    what: 'main' as const,
    name,
    message:
      how === 'removed' && !isHidden(before.files[name])
        ? `${name} had changes in the main checkout that were not committed, and has them no more`
        : isHidden(after.files[name])
          ? `${name} in the main checkout is hidden from git (assume-unchanged or skip-worktree), and that or its content was changed, by its agent through an absolute path or by you; git shows it again after: git update-index --no-assume-unchanged --no-skip-worktree "${name}"`
          : `${name} in the main checkout was changed, by its agent through an absolute path or by you`,
  }));
  return [...head, ...files];
}

function isHidden(state = ''): boolean {
  return state.startsWith(`${hiddenState} `);
}

function shown(head: string): string {
  return head.replace(/^refs\/heads\//, '');
}

function compare(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): { name: string; how: 'added' | 'changed' | 'removed' }[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (old === now) return [];
    return { name, how: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed' };
  });
}
