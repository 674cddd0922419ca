import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './adminFolders.ts';
import { git } from './plumbing.ts';
import type { GitSettings } from './settingsOf.ts';
import { splitNulText } from './splitNul.ts';

export interface FreshLane {
  path: string;
  settings: GitSettings;
  /** Folder of the hooks that hold there. */
  hooks: string;
  /** Git LFS failed, so that its files are pointers. */
  pointers: boolean;
}

/** What works in the main checkout but not in a fresh lane, one sentence each. */
export async function laneWarnings(lane: FreshLane): Promise<string[]> {
  const found = await Promise.all([pointerFiles(lane), emptySubmodules(lane.path), deadHooks(lane)]);
  return found.flat();
}

async function pointerFiles({ path, settings, pointers }: FreshLane): Promise<string[]> {
  const configured = settings.has('filter.lfs.smudge') || settings.has('filter.lfs.process');
  if (configured && !pointers) return [];
  if (!/\bfilter=lfs\b/.test((await readText(join(path, '.gitattributes'))) ?? '') && !pointers) return [];
  const files = await listFiles(path, [':(attr:filter=lfs)']);
  if (files.length === 0) return [];
  return [
    `Git LFS could not deliver, so these files are only pointers here: ${some(files)}. Install git-lfs, then run "git lfs pull" in ${path}`,
  ];
}

async function emptySubmodules(path: string): Promise<string[]> {
  if ((await stat(join(path, '.gitmodules')).catch(() => null)) === null) return [];
  const staged = await listFiles(path, ['--stage']);
  const names = staged.flatMap((line) => (line.startsWith('160000 ') ? [line.replace(/^.*?\t/s, '')] : []));
  if (names.length === 0) return [];
  return [
    `Submodules are empty in this lane: ${some(names)}. If its work or its gate needs them, fill them in its setup: git submodule update --init`,
  ];
}

async function deadHooks({ settings, hooks }: FreshLane): Promise<string[]> {
  const named = settings.get('core.hookspath');
  // An absolute path is the same folder for every checkout.
  if (named === undefined || /^[/~]/.test(named)) return [];
  if ((await stat(hooks).catch(() => null))?.isDirectory()) return [];
  return [`Hooks are not active in this lane: core.hooksPath is "${named}", and ${hooks} is not there`];
}

async function listFiles(path: string, args: readonly string[]): Promise<string[]> {
  return splitNulText((await git(path, ['ls-files', '-z', ...args])).stdout);
}

function some(names: readonly string[]): string {
  const more = names.length - 10;
  return `${names.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
