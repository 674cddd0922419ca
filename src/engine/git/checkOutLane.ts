import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { withCheckoutSlot } from './checkoutSlots.ts';
import { parseStatus } from './parseStatus.ts';
import { git, gitText } from './plumbing.ts';
import { splitNul } from './splitNul.ts';

/** How a checkout went: nothing in it differs from the commit. */
export interface CheckedOut {
  /** Git LFS could not deliver, and its files are pointers. */
  pointers: boolean;
}

/**
 * Fills a new worktree with the files of its HEAD, as its sparse patterns have them, and proves that it is complete:
 * a filter that fails leaves files out, and git does not always say so. Where it is Git LFS that fails, its files
 * stay pointers.
 * @param dirty receives the paths that differ, also when this throws
 * @throws AgentKitError `git_failed` with the files that differ
 */
export async function checkOutLane(path: string, base: string, dirty: string[]): Promise<CheckedOut> {
  return withCheckoutSlot(async () => {
    const first = await fill(path, base, []);
    if (isComplete(first)) return { pointers: lfsFailed.test(first.words) };
    const again = lfsFailed.test(first.words) ? await fillWithPointers(path, base) : first;
    if (isComplete(again)) return { pointers: true };
    dirty.push(...again.dirty);
    throw incomplete(path, again);
  });
}

interface Filled {
  code: number;
  words: string;
  dirty: string[];
}

function isComplete({ code, dirty }: Filled): boolean {
  return code === 0 && dirty.length === 0;
}

/**
 * Git names a filter that failed, and one that it tolerates by its program; of one that ends as a process it says
 * nothing but that. A retry without LFS does no harm where it was another.
 */
const lfsFailed = /smudge filter lfs failed|external filter 'git-lfs|the remote end hung up unexpectedly/;

const withoutLfs = [
  'filter.lfs.smudge=',
  'filter.lfs.clean=',
  'filter.lfs.process=',
  'filter.lfs.required=false',
];

async function fillWithPointers(path: string, base: string): Promise<Filled> {
  const filled = await fill(path, base, withoutLfs);
  if (!isComplete(filled)) return filled;
  // Git looks again into files of the second in which the index was written, and would need the filter for that.
  const index = await gitText(path, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  const written = Math.floor((await stat(index)).mtimeMs / 1000) * 1000;
  await wait(Math.max(0, written + 1100 - Date.now()));
  await git(path, ['update-index', '-q', '--really-refresh', '--force-write-index'], {
    settings: withoutLfs,
  });
  return filled;
}

async function fill(path: string, base: string, more: readonly string[]): Promise<Filled> {
  // An index that is told to trust its files (ignoreStat) would prove nothing. Every exit code is an answer: the state
  // of the files decides.
  const options = { settings: [...more, 'core.ignoreStat=false'], okCodes: anyCode };
  const reset = await git(path, ['reset', '--hard', '--quiet', '--no-recurse-submodules'], options);
  const show = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'];
  const [head, status] = await Promise.all([
    gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']),
    git(path, ['status', ...show], options),
  ]);
  if (head !== base) {
    throw new AgentKitError(
      'git_failed',
      `${path} stands at ${head.slice(0, 10)} instead of ${base.slice(0, 10)}`,
    );
  }
  return {
    code: reset.code || status.code,
    words: `${reset.stderr}${status.code === 0 ? '' : status.stderr}`.trim(),
    dirty: parseStatus(splitNul(status.stdout)).map((entry) => entry.path),
  };
}

function incomplete(path: string, { words, dirty }: Filled): AgentKitError {
  const shown = [...new Set(dirty)].slice(0, 10).join(', ');
  const which = dirty.length === 0 ? '' : ` These files are not as the commit has them: ${shown}.`;
  const cure = 'A filter (Git LFS, line ends) may be missing or failing: try "git worktree add" by hand.';
  return new AgentKitError(
    'git_failed',
    `The checkout into ${path} is not complete.${which} ${words || cure}`,
  );
}

const anyCode = Array.from({ length: 256 }, (_, code) => code);
