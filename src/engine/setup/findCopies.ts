import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compileGlobs, mayMatchBelow } from '../../core/plan/globs.ts';
import { isInside } from '../git/realPathOf.ts';

/** What patterns name in a checkout, as paths relative to its top. */
export interface Copies {
  files: string[];
  links: string[];
  warnings: string[];
}

/**
 * Finds what the patterns name. Links are named and not followed, but for those that a path without wildcards leads
 * through; nothing outside of the checkout is ever named. Other checkouts in it are not looked into, and a pattern that
 * takes one in as a whole names nothing: copied worktrees hold copies of each other soon.
 * @param root Top folder of the checkout, links resolved.
 */
export async function findCopies(root: string, patterns: readonly string[]): Promise<Copies> {
  const all = none();
  for (const pattern of patterns) {
    const found = /[*?[{]/.test(pattern) ? await walk(root, '', pattern) : await look(root, pattern);
    if (typeof found === 'string') {
      all.warnings.push(found);
      continue;
    }
    all.files.push(...found.files);
    all.links.push(...found.links);
    all.warnings.push(...found.warnings);
  }
  return { ...all, files: [...new Set(all.files)], links: [...new Set(all.links)] };
}

/** What a path without wildcards names; a text says why it may not. What is not there is nothing to tell of. */
async function look(root: string, pattern: string): Promise<Copies | string> {
  const path = pattern.replace(/\/$/, '');
  const found = await lstat(join(root, path)).catch(nullIfAbsent);
  if (found === null) return none();
  // Where it is a link itself, what it leads to is judged when it is placed.
  const real = join(await realpath(dirname(join(root, path))), path.slice(path.lastIndexOf('/') + 1));
  if (!isInside(real, root)) return `copy: ${path} leads out of the repository, to ${real}; it is not copied`;
  const other = await checkoutAbove(root, dirname(real));
  if (other !== null) return `copy: ${path} lies in another checkout, ${other}; it is not copied`;
  return found.isDirectory() ? walk(root, path, pattern) : add(none(), path, found);
}

function none(): Copies {
  return { files: [], links: [], warnings: [] };
}

function add(to: Copies, path: string, entry: { isFile(): boolean; isSymbolicLink(): boolean }): Copies {
  if (entry.isFile()) to.files.push(path);
  else if (entry.isSymbolicLink()) to.links.push(path);
  else to.warnings.push(`copy: ${path} is no ordinary file; it is not copied`);
  return to;
}

async function walk(root: string, start: string, pattern: string): Promise<Copies | string> {
  const matches = compileGlobs([pattern]);
  const mayMatch = mayMatchBelow([pattern]);
  const found = none();
  const folders = [start];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(unreadable);
    if (typeof entries === 'string') found.warnings.push(`copy: ${folder} cannot be read (${entries})`);
    else if (folder !== '' && entries.some(({ name }) => isGit(name))) {
      if (!matches(`${folder}/${anyName}`)) continue;
      return `copy: ${pattern} takes in a checkout of its own, ${folder}; nothing of it is copied: name what you need`;
    } else {
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isGit(entry.name) || !(entry.isDirectory() ? mayMatch(path) : matches(path))) continue;
        if (entry.name.includes('\ufffd')) found.warnings.push(`copy: the name ${path} is no UTF-8`);
        else if (entry.isDirectory()) folders.push(path);
        else add(found, path, entry);
      }
    }
  }
  return found;
}

/** What came in between, or is not ours to read, is told; it makes nothing else impossible. */
function unreadable(error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOENT') return error.code;
  throw error;
}

/** Stands for any file there may be: whoever takes this takes the folder. */
const anyName = '\u{10fffd}agentkit';

function isGit(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** The nearest folder that is a checkout of its own, from a folder up to the top; null when that is the top. */
async function checkoutAbove(root: string, folder: string): Promise<string | null> {
  for (let at = folder; at !== root && isInside(at, root); at = dirname(at)) {
    if (isGit(at.slice(at.lastIndexOf('/') + 1))) return at;
    if ((await lstat(join(at, '.git')).catch(nullIfAbsent)) !== null) return at;
  }
  return null;
}

export function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
