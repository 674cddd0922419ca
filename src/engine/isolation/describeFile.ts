import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Of a larger file size and time stand for its content, in bytes: nobody waits for the hash of a video. */
const largest = 16 * 1024 * 1024;

/**
 * What a file is and holds, as text that differs when either changed; a touched file is the same. Null when there is
 * none, and for a folder its mere presence. A file that may not be read is described by size and times.
 */
export async function describeFile(path: string | Buffer): Promise<string | null> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return `link ${await readlink(path).catch(() => '?')}`;
  const mode = (found.mode & 0o7777n).toString(8);
  const stamp = `${mode} ${found.size} bytes, changed ${found.mtimeNs} ${found.ctimeNs}`;
  if (!found.isFile() || found.size > largest) return stamp;
  const hash = createHash('sha256');
  return pipeline(createReadStream(path), hash).then(
    () => `${mode} ${hash.digest('hex')}`,
    () => stamp,
  );
}
