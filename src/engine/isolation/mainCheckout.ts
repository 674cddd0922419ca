import { join } from 'node:path';
import { copiedState, hiddenState, type Fingerprint } from '../../core/safety/fingerprint.ts';
import { listAdminFolders } from '../git/adminFolders.ts';
import type { Repository } from '../git/openRepository.ts';
import { git } from '../git/plumbing.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { hiddenPaths } from '../git/readStatus.ts';
import { splitNul } from '../git/splitNul.ts';
import { describeFile } from './describeFile.ts';
import { pathText } from './pathText.ts';

const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z'];
const everything = ['--untracked-files=all', '--no-renames', '--ignore-submodules=none'];
/** How many files are read at the same time. */
const atOnce = 8;

/**
 * Where the main checkout stands, and every file of it that differs from HEAD or is not tracked, with its content; and
 * those that git was told not to compare, or that it ignores and we copy into lanes.
 * @param copied paths from its top
 */
export async function readMainCheckout(
  repository: Repository,
  copied: readonly string[],
): Promise<NonNullable<Fingerprint['main']>> {
  const { root } = repository;
  const { stdout } = await git(root, [...status, ...everything]);
  const fields = splitNul(stdout);
  const headers = fields.filter((field) => field[0] === hash).map((field) => field.toString('utf8'));
  const entries = fields.filter((field) => field[0] !== hash).map(parseEntry);
  const files: Record<string, string> = {};
  const lanes = await worktreesOf(repository);
  const one = async ({ state, raw }: Entry): Promise<[string, string] | undefined> => {
    const path = Buffer.concat([Buffer.from(`${root}/`), raw]);
    // A worktree that lies in the main checkout is none of its files.
    if (raw.at(-1) === slash && lanes.has(await realPathOf(path.toString('utf8')))) return undefined;
    return [pathText(raw), `${state} ${(await describeFile(path)) ?? 'gone'}`];
  };
  const hidden = (await hiddenPaths(root)).map((raw) => ({ state: hiddenState, raw }));
  const sources = copied.map((path) => ({ state: copiedState, raw: Buffer.from(path) }));
  // Of a path that stands there twice the last counts, whichever is read first.
  const all = [...sources, ...hidden, ...entries];
  for (let at = 0; at < all.length; at += atOnce) {
    const read = await Promise.all(all.slice(at, at + atOnce).map(one));
    Object.assign(files, Object.fromEntries(read.filter((each) => each !== undefined)));
  }
  return { head: headOf(headers), files };
}

interface Entry {
  /** Differs when the index does, too. */
  state: string;
  raw: Buffer;
}

const hash = '#'.charCodeAt(0);
const slash = '/'.charCodeAt(0);
const space = ' '.charCodeAt(0);
/** How many words stand before the path, by the first one (git-status(1), "Porcelain Format Version 2"). */
const words: Record<string, number> = { '1': 8, u: 10, '?': 1 };

function parseEntry(field: Buffer): Entry {
  let at = 0;
  for (let word = words[String.fromCharCode(field[0] ?? 0)] ?? 1; word > 0; word -= 1) {
    at = field.indexOf(space, at) + 1;
  }
  return { state: field.toString('latin1', 0, at - 1), raw: field.subarray(at) };
}

function headOf(headers: readonly string[]): string {
  const value = (name: string) =>
    headers.find((header) => header.startsWith(`# ${name} `))?.slice(name.length + 3) ?? '';
  const branch = value('branch.head');
  return branch === '(detached)' ? value('branch.oid') : `refs/heads/${branch}`;
}

async function worktreesOf({ commonDir }: Repository): Promise<Set<string>> {
  const folders = await listAdminFolders(commonDir);
  return new Set(await Promise.all(folders.map(({ path }) => realPathOf(join(path)))));
}
