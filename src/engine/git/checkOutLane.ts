import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from './plumbing.ts';
import { readStatus } from './readStatus.ts';

/**
 * Fills a new worktree with the files of its HEAD, as its sparse patterns have them, and proves that it is complete:
 * a filter that fails leaves files out, and git does not always say so.
 * @param dirty receives the paths that differ, also when this throws
 * @throws AgentKitError `git_failed` with the files that differ
 */
export async function checkOutLane(path: string, base: string, dirty: string[]): Promise<void> {
  const reset = await git(path, ['reset', '--hard', '--quiet', '--no-recurse-submodules'], {
    okCodes: anyCode,
  });
  const words = reset.stderr.trim();
  const head = await gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (head !== base) {
    throw new AgentKitError(
      'git_failed',
      `${path} stands at ${head.slice(0, 10)} instead of ${base.slice(0, 10)}`,
    );
  }
  dirty.push(...(await readStatus(path)).map((entry) => entry.path));
  if (reset.code === 0 && dirty.length === 0) return;
  const shown = [...new Set(dirty)].slice(0, 10).join(', ');
  const which = dirty.length === 0 ? '' : ` These files are not as the commit has them: ${shown}.`;
  const cure = 'A filter (Git LFS, line ends) may be missing or failing: try "git worktree add" by hand.';
  throw new AgentKitError(
    'git_failed',
    `The checkout into ${path} is not complete.${which} ${words || cure}`,
  );
}

/** Every exit code is an answer here: the state of the files decides. */
const anyCode = Array.from({ length: 256 }, (_, code) => code);
