import { lstat, rmdir, unlink } from 'node:fs/promises';
import { joinBytes } from './joinBytes.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { entriesToEmpty, ifThere } from './entriesToEmpty.ts';

/** Files that are deleted side by side. */
const together = 32;

export interface Deletion {
  /** Size in bytes of the files that are gone; one that has another name elsewhere frees nothing. */
  freedBytes: number;
  /** Whether nothing is left. */
  done: boolean;
}

/**
 * Deletes a folder with all that is in it, following no link, until a time (of `performance.now()`). What it has to
 * leave then is deleted by the next call. Read-only folders are made writable first.
 */
export async function deleteTree(folder: string, deadline: number): Promise<Deletion> {
  const result: Deletion = { freedBytes: 0, done: true };
  const top = Buffer.from(folder);
  const found = await lstat(top).catch(ifThere);
  if (found === null) return result;
  if (!found.isDirectory()) throw new AgentKitError('conflict', `${folder} is no folder`);
  await deleteFolder(top, found.dev, deadline, result);
  return result;
}

async function deleteFolder(
  folder: Buffer,
  device: number,
  deadline: number,
  result: Deletion,
): Promise<void> {
  const entries = await entriesToEmpty(folder);
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let i = 0; i < files.length && inTime(deadline, result); i += together) {
    const batch = files.slice(i, i + together).map(({ name }) => deleteFile(joinBytes(folder, name), result));
    await Promise.all(batch);
  }
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    if (!inTime(deadline, result)) return;
    const path = joinBytes(folder, entry.name);
    // A folder of another device is somebody's mount, whose files are not the lane's.
    const found = await lstat(path).catch(ifThere);
    if (found !== null && found.dev !== device)
      throw new AgentKitError('refused', `Something is mounted at ${path.toString()}; unmount it`);
    await deleteFolder(path, device, deadline, result);
  }
  if (result.done) await rmdir(folder).catch(ifThere);
}

async function deleteFile(path: Buffer, result: Deletion): Promise<void> {
  const found = await lstat(path).catch(ifThere);
  if (found === null) return;
  await unlink(path).catch(ifThere);
  if (found.nlink === 1) result.freedBytes += found.size;
}

function inTime(deadline: number, result: Deletion): boolean {
  result.done &&= performance.now() < deadline;
  return result.done;
}
