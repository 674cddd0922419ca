import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { syncFolder } from '../store/atomicFile.ts';
import { ByteReader } from './byteReader.ts';
import { rawPath, toText } from './byteNames.ts';
import type { Entry } from './scanFolder.ts';
import { unreadable } from './scanFolder.ts';
import {
  blockBytes,
  kindOfFlag,
  longName,
  longTarget,
  padding,
  parseTarHeader,
  tarHeader,
} from './tarFormat.ts';

/** Content is passed on in pieces of this size. */
const pieceBytes = 256 * 1024;

/**
 * Writes files, links and folders into a new tar file that only its owner reads. Resolves to the file's sha256 once
 * it is safe on disk.
 * @throws AgentKitError `conflict` for a file that changes meanwhile, `not_accessible`
 */
export async function writeArchive(
  file: string,
  folder: string,
  entries: readonly Entry[],
  now: Date,
): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const output = await open(file, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    for await (const piece of pieces(folder, entries, Math.floor(now.getTime() / 1000))) {
      hash.update(piece);
      await output.writeFile(piece);
    }
    await output.sync();
  } finally {
    await output.close();
  }
  await syncFolder(dirname(file));
  return hash.digest('hex');
}

async function* pieces(folder: string, entries: readonly Entry[], time: number): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield tarHeader(entry, time);
    if (entry.kind !== 'file') continue;
    yield* contentOf(folder, entry);
    yield padding(entry.size);
  }
  yield Buffer.alloc(2 * blockBytes);
}

async function* contentOf(folder: string, { path, size }: Entry): AsyncGenerator<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const input = await open(rawPath(folder, path), flags).catch((error: unknown) =>
    Promise.reject(unreadable(folder, path, error)),
  );
  try {
    const buffer = Buffer.allocUnsafe(Math.min(size, pieceBytes));
    for (let left = size; left > 0;) {
      const { bytesRead } = await input.read(buffer, 0, Math.min(left, buffer.length));
      if (bytesRead === 0) {
        throw new AgentKitError('conflict', `${toText(path)} became shorter while it was archived`);
      }
      yield buffer.subarray(0, bytesRead);
      left -= bytesRead;
    }
  } finally {
    await input.close();
  }
}

/**
 * Reads an archive, entry after entry. The content must be taken whole.
 * @throws AgentKitError `invalid_input` when it is damaged, `not_found` when it is gone
 */
export async function readArchive(
  file: string,
  sha256: string,
  take: (entry: Entry, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  }
  const reader = new ByteReader(hashed());
  const long = new Map<string, string>();
  for (;;) {
    const header = parseTarHeader(await reader.read(blockBytes));
    if (header === null) break;
    const { flag, mode, size } = header;
    if (flag === longName || flag === longTarget) {
      long.set(flag, (await reader.read(size)).toString('latin1').replace(/\0$/, ''));
      await reader.read(padding(size).length);
      continue;
    }
    const kind = kindOfFlag(flag);
    const path = (long.get(longName) ?? header.name).replace(/\/$/, '');
    const target = long.get(longTarget) ?? header.target;
    long.clear();
    await take({ path, kind, mode, size, target }, reader.take(size));
    await reader.read(padding(size).length);
  }
  // What follows the end belongs to the hash.
  while ((await reader.read(blockBytes)).length > 0);
  if (hash.digest('hex') !== sha256) {
    throw new AgentKitError(
      'invalid_input',
      `${file} is not as it was written; the rest of the rescue is whole`,
    );
  }
}
