import type { Fingerprint } from '../../core/safety/fingerprint.ts';
import type { Repository } from '../git/openRepository.ts';
import { git } from '../git/plumbing.ts';
import { readHooks } from './hookFiles.ts';
import { readMainCheckout } from './mainCheckout.ts';
import { readSettings } from './settings.ts';

/**
 * Takes down what the checkouts of a repository share and the state of the main checkout, without changing any of it.
 * Takes four git processes; the content of changed files is read only as far as it is small.
 * @param copied paths of the main checkout that are copied into lanes, whether git ignores them or not
 * @throws AgentKitError `git_failed` when git cannot read the repository any more, which is a foreign change by itself
 */
export async function takeFingerprint(
  repository: Repository,
  copied: readonly string[] = [],
): Promise<Fingerprint> {
  const [refs, settings] = await Promise.all([readRefs(repository.root), readSettings(repository)]);
  const [hooks, main] = await Promise.all([
    readHooks(repository, settings.hooksPath),
    settings.bare ? null : readMainCheckout(repository, copied),
  ]);
  const { values, bare, files } = settings;
  return { version: 1, refs, config: { values, bare, files }, hooks, main };
}

/** Refs that a fetch, or git's own upkeep, moves at any time. */
const moving = /^refs\/(remotes|prefetch)\//;

async function readRefs(root: string): Promise<Fingerprint['refs']> {
  const { stdout } = await git(root, ['for-each-ref', '--format=%(refname) %(objectname) %(symref)']);
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines
      .map((line) => line.split(' '))
      .filter(([name = '']) => !moving.test(name))
      .map(([name = '', id = '', other]) => [name, other ? `ref: ${other}` : id]),
  );
}
