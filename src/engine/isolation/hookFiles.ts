import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Fingerprint } from '../../core/safety/fingerprint.ts';
import type { Repository } from '../git/openRepository.ts';
import { isInside, realPathOf } from '../git/realPathOf.ts';
import { describeFile } from './describeFile.ts';

/** Hooks call scripts beside and below them; a whole tree of sources is not looked at. */
const deepest = 3;
const mostFiles = 1_000;

/**
 * The files that git runs as hooks: those of its own folder, and of the one that the settings name, where that lies in
 * the repository. What lies elsewhere on the machine is not the repository's.
 */
export async function readHooks(
  { root, commonDir }: Repository,
  hooksPath: string | undefined,
): Promise<Fingerprint['hooks']> {
  const own = join(commonDir, 'hooks');
  const folders = new Map([['hooks', own]]);
  if (hooksPath !== undefined && hooksPath !== '') {
    const named = await realPathOf(resolve(root, hooksPath.replace(/^~(?=\/|$)/, homedir())));
    const places = [await realPathOf(commonDir), await realPathOf(root)];
    if (places.some((place) => isInside(named, place)) && named !== (await realPathOf(own))) {
      folders.set(hooksPath, named);
    }
  }
  const found = [...folders].map(async ([name, folder]) => [name, await describeFolder(folder)] as const);
  return Object.fromEntries(await Promise.all(found));
}

async function describeFolder(top: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const open = [{ folder: top, depth: 1 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    // No folder is no hooks, and so is one that may not be read: git cannot run what is in it either.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < deepest && !passedOver.has(entry.name)) open.push({ folder: path, depth: depth + 1 });
      } else if ((count += 1) <= mostFiles) {
        files[relative(top, path)] = (await describeFile(path)) ?? 'gone';
      }
    }
  }
  return files;
}

const passedOver = new Set(['.git', 'node_modules']);
