import { createHash } from 'node:crypto';
import { AgentKitError } from '../../core/agentKitError.ts';
import { git, gitText } from '../git/plumbing.ts';
import { readArchive } from './archive.ts';
import { toText } from './byteNames.ts';
import { hashFiles } from './hashFiles.ts';
import type { LaneFolder } from './laneFolder.ts';
import { differentEntry } from './laneState.ts';
import { listTree } from './listTree.ts';
import { parts } from './manifest.ts';
import { readObjects, type ReadObject } from './readObjects.ts';
import type { RescueContent } from './rescueContent.ts';
import type { Entry } from './scanFolder.ts';

/**
 * Reads a rescue back: its trees list exactly what was kept, every object in it has the content that its id says, and
 * everything that it holds by way of parents, index and other objects is there.
 * @throws AgentKitError `git_failed` naming what is wrong
 */
export async function verifyCommit(
  lane: LaneFolder,
  commit: string,
  tree: string,
  content: RescueContent,
): Promise<void> {
  const { root } = lane;
  if ((await gitText(root, ['rev-parse', '--verify', `${commit}^{tree}`])) !== tree) throw damaged(commit);
  const listed = await listTree(root, tree, '');
  const kept = new Map(listed.map((leaf) => [leaf.path, `${leaf.mode} ${leaf.oid}`]));
  for (const { path, mode, oid } of content.leaves) {
    if (kept.get(path) !== `${mode} ${oid}`) throw damaged(toText(path));
  }
  for (const folder of content.folders) {
    if (kept.get(folder)?.startsWith('040000 ') !== true) throw damaged(toText(folder));
  }
  // The index and other objects are git's own; that they are there is asked below.
  const own = listed.filter(
    ({ path }) => !path.startsWith(`${parts.index}/`) && !path.startsWith(`${parts.objects}/`),
  );
  const oids = [
    ...new Set([commit, tree, ...own.filter(({ path }) => path !== parts.index).map(({ oid }) => oid)]),
  ];
  await readObjects(root, oids, async (object) => {
    const hash = await hashOf(lane.algorithm, object);
    if (hash !== object.oid) throw damaged(object.oid);
  });
  const missing = lane.partial ? ['--exclude-promisor-objects'] : [];
  const others = [`--exclude=${lane.branch}`, '--branches', '--remotes', '--tags'];
  await git(root, ['rev-list', '--objects', '--quiet', ...missing, commit, '--not', ...others]);
}

async function hashOf(algorithm: string, { type, bytes, content }: ReadObject): Promise<string> {
  const hash = createHash(algorithm).update(`${type} ${bytes}\0`);
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** Compares an archive with the files it was made of. @throws AgentKitError `conflict`, `invalid_input` */
export async function verifyArchive(
  lane: LaneFolder,
  file: string,
  sha256: string,
  entries: readonly Entry[],
): Promise<void> {
  const read: Entry[] = [];
  const ids = new Map<string, string>();
  await readArchive(file, sha256, async (entry, content) => {
    read.push(entry);
    const hash = createHash(lane.algorithm).update(`blob ${entry.size}\0`);
    for await (const chunk of content) hash.update(chunk);
    if (entry.kind === 'file') ids.set(entry.path, hash.digest('hex'));
  });
  const onDisk = await hashFiles(lane, lane.path, entries);
  for (const { path, kind } of entries) if (kind === 'link') onDisk.delete(path);
  const difference = differentEntry(entries, onDisk, read, ids);
  if (difference === null) return;
  throw new AgentKitError(
    'conflict',
    `${difference} changed in ${lane.path} while it was archived; something still writes there. Stop it and try again`,
  );
}

function damaged(what: string): AgentKitError {
  return new AgentKitError('git_failed', `The rescue does not read back as it was written: ${what}`);
}
