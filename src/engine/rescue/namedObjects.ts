import { readFile } from 'node:fs/promises';
import { git } from '../git/plumbing.ts';
import { rawPath } from './byteNames.ts';
import { typesOf } from './importBlobs.ts';
import type { LaneFolder } from './laneFolder.ts';
import type { GitState } from './laneState.ts';

/** Objects that only a lane's own files name, so that they could vanish with it. */
export interface NamedObjects {
  /** What a commit can have as parents. */
  commits: string[];
  /** What a tree can hold. */
  trees: string[];
  blobs: string[];
  /** Annotated tags, which neither can hold. */
  tags: string[];
  /** Commits of which the repository lacks parts, so that nothing can hold them. */
  broken: string[];
}

/**
 * Every object that the reflogs and the files of an operation in progress name (ORIG_HEAD, MERGE_HEAD, AUTO_MERGE, a
 * rebase's or a bisection's state, …). What merely looks like an id and is one is kept too: that costs nothing.
 */
export async function namedObjects(lane: LaneFolder, state: GitState): Promise<NamedObjects> {
  const names = new Set<string>();
  const collect = (text: string, pattern: RegExp) => {
    for (const [name] of text.matchAll(pattern)) if (!/^0+$/.test(name)) names.add(name);
  };
  for (const { path, kind } of state.admin) {
    if (kind !== 'file' || /^(modules\/|index$|sharedindex\.)/.test(path)) continue;
    const text = await readFile(rawPath(lane.admin, path), 'latin1');
    // Lists of steps shorten ids; in a reflog, short ones stand in messages only.
    collect(text, path.startsWith('logs/') ? fullId : anyId);
  }
  collect(state.branchLog?.toString('latin1') ?? '', fullId);
  const types = await typesOf(lane.root, [...names]);
  const of = (type: string) => [...types].filter(([, each]) => each === type).map(([oid]) => oid);
  const known = [state.head, state.tip].filter((commit) => commit !== null);
  const commits = of('commit').filter((oid) => !known.includes(oid));
  return {
    ...(await unreachable(lane, commits, known)),
    trees: of('tree'),
    blobs: of('blob'),
    tags: of('tag'),
  };
}

const fullId = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
const anyId = /\b[0-9a-f]{7,64}\b/g;

/** Those of the commits that HEAD and the branch do not hold already. */
async function unreachable(
  lane: LaneFolder,
  commits: readonly string[],
  known: readonly string[],
): Promise<{ commits: string[]; broken: string[] }> {
  if (commits.length === 0) return { commits: [], broken: [] };
  const together = await reach(lane, commits, known);
  if (together !== null) return { commits: commits.filter((oid) => together.has(oid)), broken: [] };
  const result = { commits: [] as string[], broken: [] as string[] };
  for (const oid of commits) {
    const alone = await reach(lane, [oid], known);
    if (alone === null) result.broken.push(oid);
    else if (alone.has(oid)) result.commits.push(oid);
  }
  return result;
}

/** Commits that these bring beside the known ones; null when the repository lacks parts of them. */
async function reach(
  { root, partial }: LaneFolder,
  commits: readonly string[],
  known: readonly string[],
): Promise<Set<string> | null> {
  const input = [...commits, ...known.map((oid) => `^${oid}`), ''].join('\n');
  const options = { input, okCodes: [0, 128] };
  const missing = partial ? ['--exclude-promisor-objects'] : [];
  const whole = await git(root, ['rev-list', '--objects', '--quiet', ...missing, '--stdin'], options);
  if (whole.code !== 0) return null;
  const { stdout } = await git(root, ['rev-list', '--stdin'], options);
  return new Set(stdout.toString('latin1').split('\n'));
}
