import { createReadStream } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import { rawPath, toText } from './byteNames.ts';
import type { Entry } from './scanFolder.ts';

/** Files are compared in pieces of this size. */
const pieceBytes = 256 * 1024;

/**
 * Whether something that we put into a lane is still what the main checkout has at that path, so that nothing is lost
 * with it. A copy that either of the two changed since is not, nor what took the place of a link.
 */
export async function isAsPlaced(root: string, lane: string, entry: Entry): Promise<boolean> {
  const [ours, theirs] = [rawPath(root, entry.path), rawPath(lane, entry.path)];
  if (entry.kind === 'link') return leadsToSame(root, lane, entry);
  if (entry.kind !== 'file') return false;
  const source = await stat(ours).catch(() => null);
  if (source?.isFile() !== true || source.size !== entry.size) return false;
  return holdSame(ours, theirs).catch(() => false);
}

/** A link into the main checkout, or one that was made again as it is there. */
async function leadsToSame(root: string, lane: string, { path, target }: Entry): Promise<boolean> {
  const source = await readlink(rawPath(root, path), { encoding: 'latin1' }).catch(() => null);
  if (source === target) return true;
  const ends = [root, lane].map((folder) => realpath(`${folder}/${toText(path)}`).catch(() => null));
  const [ours, theirs] = await Promise.all(ends);
  return ours !== null && ours === theirs;
}

async function holdSame(one: Buffer, other: Buffer): Promise<boolean> {
  const ours = await open(one);
  try {
    let at = 0;
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for await (const piece of createReadStream(other, {
      highWaterMark: pieceBytes,
    }) as AsyncIterable<Buffer>) {
      const { bytesRead } = await ours.read(buffer, 0, piece.length, at);
      if (!piece.equals(buffer.subarray(0, bytesRead))) return false;
      at += bytesRead;
    }
    return true;
  } finally {
    await ours.close();
  }
}
