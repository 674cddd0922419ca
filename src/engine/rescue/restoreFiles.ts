import { createHash } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { readArchive } from './archive.ts';
import { rawPath, toBytes } from './byteNames.ts';
import { hashObject } from './hashFiles.ts';
import type { LaneFolder } from './laneFolder.ts';
import { placeFile, placeFolder, placeLink } from './placeEntry.ts';
import { readObjects } from './readObjects.ts';
import type { KeptEntry } from './readRescue.ts';

/** Files that may name the lane's place are not larger, in bytes. */
const largestPlaceFile = 64 * 1024;

/**
 * Puts files, folders and links into the worktree, byte for byte. Repeatable after a crash. Folders get their
 * permissions by `closeFolders`.
 * @param adjust what a file that names the lane's place must hold now
 * @returns what is there now
 * @throws AgentKitError `conflict` when something else is there
 */
export async function restoreFiles(
  lane: LaneFolder,
  entries: readonly KeptEntry[],
  adjust: (path: string, content: Buffer) => Buffer,
): Promise<KeptEntry[]> {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  for (const { path } of folders) await placeFolder(lane.path, path);
  const placed = [...folders];
  const others = entries.filter(({ kind }) => kind !== 'folder');
  const oids = others.map(({ oid }) => oid);
  await readObjects(lane.root, oids, async ({ content, bytes }, n) => {
    const entry = others[n];
    if (entry === undefined) throw new Error('Git gave more objects than it was asked for');
    const { path, kind, mode } = entry;
    if (kind === 'link') {
      await placeLink(lane.path, path, await whole(content));
      placed.push(entry);
    } else if (path.endsWith('/.git') && bytes <= largestPlaceFile) {
      const fresh = adjust(path, await whole(content));
      await placeFile(lane.path, path, mode, [fresh]);
      placed.push({ ...entry, oid: hashObject(lane.algorithm, 'blob', fresh) });
    } else {
      await placeFile(lane.path, path, mode, content);
      placed.push(entry);
    }
  });
  return placed;
}

/** Puts back the ignored files, as `restoreFiles`. @throws AgentKitError `invalid_input` when the archive is damaged */
export async function restoreArchive(lane: LaneFolder, file: string, sha256: string): Promise<KeptEntry[]> {
  // Nothing comes out of an archive that is not the one that was written.
  await readArchive(file, sha256, async (_entry, content) => {
    await whole(content);
  });
  const placed: KeptEntry[] = [];
  await readArchive(file, sha256, async ({ path, kind, mode, size, target }, content) => {
    if (kind === 'special') return;
    let oid = '';
    if (kind === 'folder') await placeFolder(lane.path, path);
    else if (kind === 'link') {
      await placeLink(lane.path, path, toBytes(target));
      oid = hashObject(lane.algorithm, 'blob', toBytes(target));
    } else {
      const hash = createHash(lane.algorithm).update(`blob ${size}\0`);
      await placeFile(lane.path, path, mode, hashed(content, hash));
      oid = hash.digest('hex');
    }
    placed.push({ path, kind, mode, oid });
  });
  return placed;
}

async function* hashed(
  content: AsyncIterable<Buffer>,
  hash: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Gives folders their permissions, the deepest first: some may not be written in then. */
export async function closeFolders(folder: string, entries: readonly KeptEntry[]): Promise<void> {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  folders.sort((a, b) => (a.path < b.path ? 1 : -1));
  for (const { path, mode } of folders) await chmod(rawPath(folder, path), mode);
}

export async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
