import { join } from 'node:path';
import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';
import { toText } from './byteNames.ts';
import type { LaneFolder } from './laneFolder.ts';

const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];

/** Raw paths that git ignores in a lane; of a folder that is ignored as a whole, the folder's alone. */
export async function ignoredPaths(lane: LaneFolder): Promise<Set<string>> {
  return parse((await git(lane.path, list, { env: lane.env })).stdout, '');
}

/**
 * As `ignoredPaths`, for a repository inside the lane, with paths from the lane's top. Nothing is ignored in one that
 * git cannot read: it is kept whole.
 */
export async function ignoredInNested(lane: LaneFolder, nested: string): Promise<Set<string>> {
  const result = await git(join(lane.path, toText(nested)), list, { okCodes: [0, 128] }).catch(() => null);
  if (result === null || result.code !== 0) return new Set();
  return parse(result.stdout, `${nested}/`);
}

function parse(output: Buffer, prefix: string): Set<string> {
  return new Set(splitNul(output).map((path) => prefix + path.toString('latin1').replace(/\/$/, '')));
}
