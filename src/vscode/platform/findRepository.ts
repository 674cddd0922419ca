import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What the file system alone says about the repository that a folder belongs to. */
export interface FoundRepository {
  /** Top folder of the worktree that the folder lies in. */
  top: string;
  /** Folder of the refs and objects that all worktrees share. */
  commonDir: string;
  /** Whether HEAD points at a commit. */
  hasCommits: boolean;
  /** Whether `top` is a linked worktree, as every lane is. */
  linked: boolean;
}

/** Looks for `.git` upwards from a folder. Starts no process, so it is safe in an untrusted workspace. */
export async function findRepository(folder: string): Promise<FoundRepository | undefined> {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = await readGitDir(top);
    if (gitDir) {
      const commonDir = resolve(gitDir, (await readText(join(gitDir, 'commondir'))) ?? '.');
      return {
        top,
        commonDir,
        hasCommits: await headExists(gitDir, commonDir),
        linked: gitDir !== commonDir,
      };
    }
    if (top === dirname(top)) return undefined;
  }
}

/** `.git` is a folder, or a file that names one. */
async function readGitDir(top: string): Promise<string | undefined> {
  const path = join(top, '.git');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return (await exists(join(path, 'HEAD'))) ? path : undefined;
  const named = found && (await readText(path));
  return named?.startsWith('gitdir: ') ? resolve(top, named.slice('gitdir: '.length)) : undefined;
}

async function headExists(gitDir: string, commonDir: string): Promise<boolean> {
  const head = await readText(join(gitDir, 'HEAD'));
  if (!head?.startsWith('ref: ')) return head !== undefined;
  const ref = head.slice('ref: '.length);
  if (await exists(join(commonDir, ref))) return true;
  // A reftable repository keeps no loose or packed refs: leave the answer to git.
  if (await exists(join(commonDir, 'reftable'))) return true;
  const packed = await readText(join(commonDir, 'packed-refs'));
  return packed?.split('\n').some((line) => line.endsWith(` ${ref}`)) ?? false;
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').then(
    (text) => text.trimEnd(),
    () => undefined,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
