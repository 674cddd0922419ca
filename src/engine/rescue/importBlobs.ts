import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { git } from '../git/plumbing.ts';

/** Content for git's object store whose id is known. */
export type Source = { oid: string } & (
  | {
      content: Buffer;
    }
  | { file: Buffer; size: number }
);

/** Content is passed on in pieces of this size. */
const pieceBytes = 256 * 1024;

/** Files from this size on, in bytes, pass through git without being held whole, and are kept uncompressed. */
const largeBytes = 1024 * 1024;

/** What is large is rarely text, and compressing takes three times as long as all the rest. */
const isLarge = (source: Source) => 'file' in source && source.size >= largeBytes;

/**
 * Writes content into the repository's object store as it is, in packs that are safe on disk when this resolves.
 * Content that is there already is not written again.
 * @throws AgentKitError `conflict` when a file is not what its id says, `no_space`, `git_failed`
 */
export async function importBlobs(
  { root, partial }: { root: string; partial: boolean },
  sources: readonly Source[],
): Promise<void> {
  const wanted = new Map(sources.map((source) => [source.oid, source]));
  // Asking a partial clone for what it has not would ask its remote; there, writing finds out what is there.
  if (!partial) for (const oid of (await typesOf(root, [...wanted.keys()])).keys()) wanted.delete(oid);
  if (wanted.size === 0) return;
  const problems: string[] = [];
  const all = [...wanted.values()];
  try {
    await writePack(
      root,
      1,
      all.filter((source) => !isLarge(source)),
      problems,
    );
    await writePack(root, 0, all.filter(isLarge), problems);
  } catch (error) {
    if (!/No space left/.test(messageOf(error))) throw error;
    throw new AgentKitError(
      'no_space',
      `There is no space left in ${root} to keep the lane's files; free some and try again`,
      { cause: error },
    );
  }
  const [problem] = problems;
  if (problem !== undefined) throw new AgentKitError('conflict', problem);
  const there = await typesOf(root, [...wanted.keys()]);
  for (const { oid, ...source } of wanted.values()) {
    if (there.has(oid)) continue;
    const name = 'file' in source ? source.file.toString('utf8') : 'What the rescue describes';
    throw new AgentKitError('conflict', `${name} changed while it was kept; something still writes there`);
  }
}

async function writePack(
  root: string,
  compression: number,
  sources: readonly Source[],
  problems: string[],
): Promise<void> {
  if (sources.length === 0) return;
  const settings = [
    `core.bigFileThreshold=${largeBytes}`,
    `pack.compression=${compression}`,
    'fastimport.unpackLimit=0',
  ];
  const args = ['fast-import', '--quiet', '--done', '--depth=0', '--force'];
  const input = () => stream(sources, problems);
  await git(root, [...settings.flatMap((setting) => ['-c', setting]), ...args], { input });
}

/** What the objects are that the repository has under these names, by their full ids. */
export async function typesOf(root: string, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)', '--buffer'];
  const lines = (await git(root, args, { input: `${names.join('\n')}\n` })).stdout.toString('latin1');
  return new Map(
    [...lines.matchAll(/^([0-9a-f]{40,64}) (blob|tree|commit|tag)$/gm)].map(([, oid = '', type = '']) => [
      oid,
      type,
    ]),
  );
}

/** The language of `git fast-import`. It cannot be left in the middle of a file, so one that shrank is filled up. */
async function* stream(sources: readonly Source[], problems: string[]): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (const source of sources) {
    if ('content' in source) {
      yield Buffer.concat([header(source.content.length), source.content, newline]);
      continue;
    }
    const name = source.file.toString('utf8');
    let handle: FileHandle;
    try {
      handle = await open(source.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      problems.push(`${name} changed while it was kept: ${messageOf(error)}`);
      continue;
    }
    try {
      yield header(source.size);
      for (let left = source.size; left > 0;) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(left, pieceBytes));
        if (bytesRead === 0) problems.push(`${name} became shorter while it was kept`);
        const piece =
          bytesRead === 0 ? Buffer.alloc(Math.min(left, pieceBytes)) : buffer.subarray(0, bytesRead);
        yield Buffer.from(piece);
        left -= piece.length;
      }
      yield newline;
    } finally {
      await handle.close();
    }
  }
  yield Buffer.from('done\n');
}

const newline = Buffer.from('\n');

function header(bytes: number): Buffer {
  return Buffer.from(`blob\ndata ${bytes}\n`);
}
