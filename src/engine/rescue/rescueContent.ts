import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';
import { encodePath, rawPath, toBytes } from './byteNames.ts';
import { hashObject } from './hashFiles.ts';
import type { Source } from './importBlobs.ts';
import type { IndexObjects } from './indexObjects.ts';
import type { LaneFolder } from './laneFolder.ts';
import type { LaneState } from './laneState.ts';
import { parts } from './manifest.ts';
import type { NamedObjects } from './namedObjects.ts';
import type { Entry } from './scanFolder.ts';
import type { Leaf } from './writeTree.ts';

/** Permissions that need no record, by mode in git's trees. */
export const usualModes = { '100644': 0o644, '100755': 0o755, '040000': 0o755, '120000': 0 } as const;

/** What a rescue's tree will hold, and where its bytes come from. */
export interface RescueContent {
  leaves: Leaf[];
  folders: string[];
  sources: Source[];
  /** Files and links of the worktree that HEAD has not, or not so. */
  changed: { files: number; bytes: number };
  /** Adds a small file of our own. */
  add(path: string, content: Buffer): void;
}

const empty = Buffer.alloc(0);

export async function rescueContent(
  lane: LaneFolder,
  state: LaneState,
  named: NamedObjects,
  index: IndexObjects,
): Promise<RescueContent> {
  const content: RescueContent = {
    leaves: [],
    folders: [parts.worktree, parts.admin],
    sources: [],
    changed: { files: 0, bytes: 0 },
    add: (path, bytes) => {
      const oid = hashObject(lane.algorithm, 'blob', bytes);
      content.leaves.push({ path, mode: '100644', oid });
      content.sources.push({ oid, content: bytes });
    },
  };
  const modes: string[] = [];
  addEntries(content, modes, parts.worktree, lane.path, state.worktree.kept, state.ids);
  addEntries(content, modes, parts.admin, lane.admin, state.admin, state.adminIds);
  content.add(parts.modes, toBytes(modes.join('')));
  if (state.branchLog !== null) content.add(parts.branchLog, state.branchLog);
  if (index.tree !== null) {
    content.leaves.push({ path: parts.index, mode: '040000', oid: index.tree });
    // What is only intended to be added stands in the index as empty, and in none of its trees.
    content.add(`${parts.objects}/${hashObject(lane.algorithm, 'blob', empty)}`, empty);
  }
  for (const oid of new Set([...named.blobs, ...index.stages])) {
    content.leaves.push({ path: `${parts.objects}/${oid}`, mode: '100644', oid });
  }
  for (const oid of named.trees) {
    content.leaves.push({ path: `${parts.objects}/${oid}`, mode: '040000', oid });
  }
  for (const oid of named.tags) {
    content.add(`${parts.tags}/${oid}`, (await git(lane.root, ['cat-file', 'tag', oid])).stdout);
  }
  content.changed = await countChanged(lane, state);
  return content;
}

function addEntries(
  content: RescueContent,
  modes: string[],
  part: string,
  folder: string,
  entries: readonly Entry[],
  ids: ReadonlyMap<string, string>,
): void {
  for (const { path, kind, mode, size, target } of entries) {
    const inTree = `${part}/${encodePath(path)}`;
    const gitMode = gitModeOf(kind, mode);
    if (mode !== usualModes[gitMode]) modes.push(`${mode.toString(8)} ${part}/${path}\0`);
    if (kind === 'folder') {
      content.folders.push(inTree);
      continue;
    }
    const oid = ids.get(path) ?? '';
    content.leaves.push({ path: inTree, mode: gitMode, oid });
    content.sources.push(
      kind === 'link' ? { oid, content: toBytes(target) } : { oid, file: rawPath(folder, path), size },
    );
  }
}

function gitModeOf(kind: Entry['kind'], mode: number): keyof typeof usualModes {
  if (kind === 'folder') return '040000';
  if (kind === 'link') return '120000';
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

async function countChanged(lane: LaneFolder, state: LaneState): Promise<RescueContent['changed']> {
  const committed = new Set<string>();
  if (state.head !== null) {
    const { stdout } = await git(lane.root, ['ls-tree', '-r', '-z', '--full-tree', state.head]);
    for (const line of splitNul(stdout)) committed.add(line.toString('latin1'));
  }
  const changed = { files: 0, bytes: 0 };
  for (const { path, kind, mode, size, target } of state.worktree.kept) {
    if (kind === 'folder') continue;
    const asCommitted = `${gitModeOf(kind, mode)} blob ${state.ids.get(path)}\t${path}`;
    if (committed.has(asCommitted)) continue;
    changed.files += 1;
    changed.bytes += kind === 'link' ? target.length : size;
  }
  return changed;
}
