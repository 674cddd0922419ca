import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';
import { statIfThere } from './ifThere.ts';
import type { LaneFolder } from './laneFolder.ts';

/** What keeps the objects reachable that an index names. */
export interface IndexObjects {
  /** Tree of all its entries but conflicted and intended ones; null when there is no index. */
  tree: string | null;
  /** Files' contents at the stages of conflicts, present and resolved. */
  stages: string[];
}

/** Writes a tree of the lane's index, from a copy; the index is not touched. Objects that were never fetched stay so. */
export async function indexObjects(lane: LaneFolder): Promise<IndexObjects> {
  const index = join(lane.admin, 'index');
  if ((await statIfThere(index)) === null) return { tree: null, stages: [] };
  const folder = await mkdtemp(join(tmpdir(), 'agentkit-index-'));
  try {
    const copy = join(folder, 'index');
    await copyFile(index, copy);
    const env = { ...lane.env, GIT_INDEX_FILE: copy };
    // A split index is read whole, and its copy written whole, not beside the real one.
    const call = async (args: readonly string[], input?: Buffer) =>
      (await git(lane.admin, ['-c', 'core.splitIndex=false', ...args], { env, ...(input && { input }) }))
        .stdout;
    const unmerged = splitNul(await call(['ls-files', '--unmerged', '-z']));
    const resolved = splitNul(await call(['ls-files', '--resolve-undo', '-z']));
    if (unmerged.length > 0) {
      const paths = new Set(unmerged.map((line) => line.subarray(line.indexOf(0x09) + 1).toString('latin1')));
      const input = Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
      await call(['update-index', '--force-remove', '-z', '--stdin'], input);
    }
    const tree = (await call(['write-tree', '--missing-ok'])).toString('latin1').trim();
    return { tree, stages: [...new Set([...unmerged, ...resolved].flatMap(blobOf))] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The id in a line of `ls-files --stage`; nothing for a submodule's commit, which is not this repository's. */
function blobOf(line: Buffer): string[] {
  const [, mode, oid] = /^(\d+) ([0-9a-f]+) /.exec(line.toString('latin1')) ?? [];
  return oid === undefined || mode === '160000' ? [] : [oid];
}
