import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a folder takes of its disk. */
export interface DiskUsage {
  /** Blocks that are in use; a file with several names counts once. */
  bytes: number;
  /** Files, links and folders that were counted. */
  entries: number;
  /** False when the bounds were reached or something could not be read: then it takes at least so much. */
  complete: boolean;
}

export interface DiskBounds {
  entries: number;
  /** In milliseconds. */
  time: number;
}

const defaultBounds: DiskBounds = { entries: 500_000, time: 20_000 };
/** How many files are asked for at the same time: few, for the disk has other work. */
const atOnce = 16;
/** `stat` counts in blocks of so many bytes, whatever those of the disk are. */
const blockBytes = 512;

/**
 * Counts what a folder takes, without following links or leaving its disk. Null when there is none.
 */
export async function diskUsage(
  folder: string,
  bounds: DiskBounds = defaultBounds,
): Promise<DiskUsage | null> {
  const top = await lstat(folder).catch(() => null);
  if (!top?.isDirectory()) return null;
  const deadline = performance.now() + bounds.time;
  const seen = new Set<string>();
  const usage: DiskUsage = { bytes: top.blocks * blockBytes, entries: 1, complete: true };
  const open = [folder];

  /** What is gone meanwhile takes nothing. */
  const unread = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') usage.complete = false;
    return null;
  };

  const count = async (path: string) => {
    const found = await lstat(path).catch(unread);
    if (found === null || found.dev !== top.dev) return;
    const isFolder = found.isDirectory();
    if (!isFolder && found.nlink > 1) {
      const inode = `${found.ino}`;
      if (seen.has(inode)) return;
      seen.add(inode);
    }
    usage.bytes += found.blocks * blockBytes;
    usage.entries += 1;
    if (isFolder) open.push(path);
  };

  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for await (const names of batches(next, unread)) {
      if (usage.entries >= bounds.entries || performance.now() >= deadline) {
        return { ...usage, complete: false };
      }
      await Promise.all(names.map((name) => count(join(next, name))));
    }
  }
  return usage;
}

/** The names in a folder, a few at a time: it may hold millions. */
async function* batches(
  folder: string,
  unread: (error: NodeJS.ErrnoException) => void,
): AsyncGenerator<string[]> {
  let names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length < atOnce) continue;
      yield names;
      names = [];
    }
  } catch (error) {
    unread(error as NodeJS.ErrnoException);
  }
  if (names.length > 0) yield names;
}
