import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, lstat, mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { syncFolder } from '../store/atomicFile.ts';

export interface Carried {
  /** Homes of the two profiles. */
  from: string;
  to: string;
  /** The file, relative to both. */
  path: string;
}

/**
 * Copies a file that only grows from one home to another, whole or not at all. What is there already stays: where it
 * begins as the original does it has been carried before, and may have gone on since.
 * @throws AgentKitError `refused` where something else is there or a link would lead away; as the file system for the rest
 */
export async function carryFile({ from, to, path }: Carried): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)];
  if (await isSame(source, target)) return;
  await makeFolders(to, dirname(path));
  const there = await lstat(target).catch(nullWhereAbsent);
  if (there === null) await copy(source, target);
  else if (!there.isFile() || !(await beginsAs(target, source))) {
    const message = `${target} is there and is not what ${source} holds; it is not overwritten`;
    throw new AgentKitError('refused', message);
  }
}

/** Whether two homes share it, by a link of the person's own. */
async function isSame(source: string, target: string): Promise<boolean> {
  const [one, other] = [await stat(source), await stat(target).catch(nullWhereAbsent)];
  return other !== null && one.dev === other.dev && one.ino === other.ino;
}

/** Makes what is missing of the folders below a home. */
async function makeFolders(home: string, path: string): Promise<void> {
  let folder = home;
  for (const name of path.split(sep)) {
    folder = join(folder, name);
    const made = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (!made && !(await lstat(folder)).isDirectory()) {
      throw new AgentKitError('refused', `${folder} is a link or no folder; nothing is copied through it`);
    }
  }
}

async function copy(source: string, target: string): Promise<void> {
  const staging = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const written = createWriteStream(staging, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(createReadStream(source), written);
    // Unlike a rename it never takes the place of a file that came meanwhile.
    await link(staging, target);
  } finally {
    await rm(staging, { force: true });
  }
  await syncFolder(dirname(target));
}

const pieceBytes = 256 * 1024;

/** Whether the bytes of a file begin with all of another's. */
async function beginsAs(file: string, beginning: string): Promise<boolean> {
  const [one, other] = await Promise.all([open(file), open(beginning)]);
  try {
    const [piece, expected] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)];
    for (let at = 0; ;) {
      const { bytesRead } = await other.read(expected, 0, pieceBytes, at);
      if (bytesRead === 0) return true;
      const { bytesRead: read } = await one.read(piece, 0, bytesRead, at);
      if (!piece.subarray(0, read).equals(expected.subarray(0, bytesRead))) return false;
      at += bytesRead;
    }
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

function nullWhereAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
