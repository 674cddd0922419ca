import { constants } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { messageOf, AgentKitError } from '../../core/agentKitError.ts';
import { rawPath, toText } from './byteNames.ts';

export type EntryKind = 'file' | 'link' | 'folder' | 'special';

/** Something in a folder, as it is on disk. */
export interface Entry {
  /** Raw path below the scanned folder, one character a byte. */
  path: string;
  kind: EntryKind;
  /** Permission bits; 0 for links, which have none. */
  mode: number;
  /** Bytes of a file; 0 for others. */
  size: number;
  /** What a link holds, one character a byte; of something special, what it is. */
  target: string;
}

/** What to do with an entry: keep it, pass it over with all below it, or keep it without looking below. */
export type Choice = 'keep' | 'skip';

/**
 * Everything below a folder, parents before children, names in the order of their bytes. Links are not followed.
 * @param choose is asked once for each entry, after its parent
 * @throws AgentKitError `not_accessible` when a folder cannot be read, `conflict` when it vanishes meanwhile
 */
export async function scanFolder(
  folder: string,
  choose: (entry: Entry, names: ReadonlySet<string>) => Choice | Promise<Choice>,
): Promise<Entry[]> {
  const found: Entry[] = [];
  const waiting = [''];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = await scanOne(folder, path);
    const names = new Set(entries.map((entry) => entry.path.slice(path === '' ? 0 : path.length + 1)));
    for (const entry of entries) {
      if ((await choose(entry, names)) === 'skip') continue;
      found.push(entry);
      if (entry.kind === 'folder') waiting.push(entry.path);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function scanOne(folder: string, path: string): Promise<Entry[]> {
  try {
    const names = await readdir(rawPath(folder, path), { encoding: 'buffer' });
    const paths = names.map((name) => (path === '' ? '' : `${path}/`) + name.toString('latin1'));
    return await Promise.all(paths.map((each) => readEntry(folder, each)));
  } catch (error) {
    throw unreadable(folder, path, error);
  }
}

/** One entry as it is on disk. */
export async function readEntry(folder: string, path: string): Promise<Entry> {
  const file = rawPath(folder, path);
  const found = await lstat(file);
  const mode = found.mode & 0o7777;
  if (found.isFile()) return { path, kind: 'file', mode, size: found.size, target: '' };
  if (found.isDirectory()) return { path, kind: 'folder', mode, size: 0, target: '' };
  if (!found.isSymbolicLink()) {
    return { path, kind: 'special', mode, size: 0, target: specialName(found.mode) };
  }
  const target = await readlink(file, { encoding: 'buffer' });
  return { path, kind: 'link', mode: 0, size: 0, target: target.toString('latin1') };
}

function specialName(mode: number): string {
  switch (mode & constants.S_IFMT) {
    case constants.S_IFSOCK:
      return 'a socket';
    case constants.S_IFIFO:
      return 'a pipe';
    default:
      return 'a device';
  }
}

/** The error for something that could not be read: gone meanwhile, or not ours to read. */
export function unreadable(folder: string, path: string, error: unknown): AgentKitError {
  const where = path === '' ? folder : `${folder}/${toText(path)}`;
  const gone = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
  return gone
    ? new AgentKitError('conflict', `${where} changed while it was read; something still writes there`, {
        cause: error,
      })
    : new AgentKitError('not_accessible', `${where} cannot be read: ${messageOf(error)}`, { cause: error });
}
