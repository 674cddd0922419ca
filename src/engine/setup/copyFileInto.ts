import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfAbsent } from './findCopies.ts';

/**
 * Copies a file to where nothing is, whole or not at all, with its mode and time; as a clone where the file system can.
 * @returns Whether exactly this stands there now: what was there before is never changed.
 */
export async function copyFileInto(from: string, to: string): Promise<boolean> {
  if ((await lstat(to).catch(nullIfAbsent)) !== null) return isCopy(from, to);
  // The name is the same after a crash, so that what was left half-way is not left for good.
  const mark = createHash('sha256').update(to).digest('hex').slice(0, 16);
  const temporary = join(dirname(to), `.agentkit-copy-${mark}`);
  await rm(temporary, { force: true });
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const { atime, mtime } = await stat(from);
    await utimes(temporary, atime, mtime);
    return await moveWithoutOverwriting(temporary, to);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A second name never takes another's place; where there are none, nobody else is in a new lane yet. */
async function moveWithoutOverwriting(temporary: string, to: string): Promise<boolean> {
  try {
    await link(temporary, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    if ((await lstat(to).catch(nullIfAbsent)) !== null) return false;
    await rename(temporary, to);
    return true;
  }
}

const pieceBytes = 1024 * 1024;

/** Whether what is there is an ordinary file of the same bytes, as an earlier call has left it. */
async function isCopy(from: string, to: string): Promise<boolean> {
  const there = await lstat(to);
  if (!there.isFile() || there.size !== (await stat(from)).size) return false;
  const one = await open(from, 'r');
  try {
    const other = await open(to, 'r');
    try {
      const pieces = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)] as const;
      for (let at = 0; at < there.size;) {
        const [first, second] = await Promise.all([
          one.read(pieces[0], 0, pieceBytes, at),
          other.read(pieces[1], 0, pieceBytes, at),
        ]);
        const count = Math.min(first.bytesRead, second.bytesRead);
        if (count === 0 || pieces[0].compare(pieces[1], 0, count, 0, count) !== 0) return false;
        at += count;
      }
      return true;
    } finally {
      await other.close();
    }
  } finally {
    await one.close();
  }
}
