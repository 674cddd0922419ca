import { join } from 'node:path';
import { git, gitText } from '../git/plumbing.ts';
import type { LaneFolder } from './laneFolder.ts';

/** A commit with more parents than this is one that people's tools choke on. */
const mostParents = 64;

/** Nobody's own name: a rescue is not work that somebody signs, and must not fail where git knows no name. */
function identity(now: Date): Record<string, string> {
  const date = `${Math.floor(now.getTime() / 1000)} +0000`;
  const who = { NAME: 'AgentKit', EMAIL: 'agentkit@localhost', DATE: date };
  return Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    ),
  );
}

/**
 * Writes the rescue's commit and makes all of it safe on disk.
 * @param parents those beyond a readable number hang on commits of their own in between
 */
export async function writeCommit(
  lane: LaneFolder,
  request: { tree: string; parents: readonly string[]; message: string; now: Date },
): Promise<string> {
  const { root } = lane;
  const env = identity(request.now);
  const commit = (tree: string, parents: readonly string[], message: string) =>
    gitText(root, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
      env,
      input: message,
    });
  const [first, second, ...others] = request.parents;
  let rest = others;
  while (rest.length > mostParents) {
    const empty = await gitText(root, ['mktree'], { input: '' });
    const bundles: string[] = [];
    for (let n = 0; n < rest.length; n += mostParents) {
      bundles.push(await commit(empty, rest.slice(n, n + mostParents), 'Commits of a reflog\n'));
    }
    rest = bundles;
  }
  const parents = [first, second, ...rest].filter((parent) => parent !== undefined);
  const made = await commit(request.tree, parents, request.message);
  await packLoose(lane, made, request.parents);
  return made;
}

/** Git does not wait for single objects to reach the disk, but for packs it does. */
async function packLoose(lane: LaneFolder, commit: string, parents: readonly string[]): Promise<void> {
  const objects = await gitText(lane.root, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
  const missing = lane.partial ? ['--exclude-promisor-objects'] : [];
  const args = ['--revs', '--unpacked', '--non-empty', '--window=0', ...missing];
  const input = [commit, ...parents.map((oid) => `^${oid}`), ''].join('\n');
  const pack = join(objects, 'pack', 'pack');
  await git(lane.root, ['-c', 'pack.compression=1', 'pack-objects', '--quiet', ...args, pack], { input });
}
