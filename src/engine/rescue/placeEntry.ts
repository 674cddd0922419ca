import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, symlink, type FileHandle } from 'node:fs/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { rawPath, toBytes, toText } from './byteNames.ts';

/**
 * Writes a file that is not there yet. One that a crash left half-written is completed; nothing else is touched.
 * @throws AgentKitError `conflict` when something else is there
 */
export async function placeFile(
  folder: string,
  path: string,
  mode: number,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const handle = await openOwn(folder, path);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw taken(folder, path);
    let done = 0;
    for await (const chunk of content) {
      await placeChunk(handle, chunk, done, found.size, () => taken(folder, path));
      done += chunk.length;
    }
    if (found.size > done) throw taken(folder, path);
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

/** Writes of a chunk what the file has not yet; what it has must be the same. */
async function placeChunk(
  handle: FileHandle,
  chunk: Buffer,
  at: number,
  size: number,
  refuse: () => AgentKitError,
): Promise<void> {
  const there = Math.max(0, Math.min(chunk.length, size - at));
  if (there > 0) {
    const old = Buffer.alloc(there);
    const { bytesRead } = await handle.read(old, 0, there, at);
    if (bytesRead !== there || !old.equals(chunk.subarray(0, there))) throw refuse();
  }
  for (let n = there; n < chunk.length;) {
    n += (await handle.write(chunk, n, chunk.length - n, at + n)).bytesWritten;
  }
}

async function openOwn(folder: string, path: string): Promise<FileHandle> {
  const never = constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(rawPath(folder, path), constants.O_RDWR | constants.O_CREAT | never, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A file that must not be written has its permissions already, so it is complete.
    if (code === 'EACCES') return open(rawPath(folder, path), constants.O_RDONLY | never);
    if (code === 'ELOOP' || code === 'EISDIR' || code === 'ENXIO') throw taken(folder, path);
    throw error;
  }
}

/** Makes a folder that only we can use yet; it gets its permissions when all is in it. */
export async function placeFolder(folder: string, path: string): Promise<void> {
  const place = rawPath(folder, path);
  await mkdir(place, 0o700).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    if (!(await lstat(place)).isDirectory()) throw taken(folder, path);
  });
}

export async function placeLink(folder: string, path: string, target: Buffer): Promise<void> {
  const place = rawPath(folder, path);
  await symlink(target, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    const old = await readlink(place, { encoding: 'buffer' }).catch(() => toBytes(''));
    if (!old.equals(target)) throw taken(folder, path);
  });
}

function taken(folder: string, path: string): AgentKitError {
  return new AgentKitError(
    'conflict',
    `${folder}/${toText(path)} is there and is not from the rescue; move it away and restore again`,
  );
}
