import { lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { adminFolderOf } from './adminFolders.ts';
import { changedFiles } from './changedFiles.ts';
import { requireIdentity } from './identity.ts';
import { readMarkerIn } from './marker.ts';
import { operationInProgress } from './operationInProgress.ts';
import type { StatusEntry } from './parseStatus.ts';
import { git, gitText } from './plumbing.ts';
import { readStatus } from './readStatus.ts';
import { currentBranch } from './resolveBase.ts';
import { stagePaths } from './stagePaths.ts';

export interface LeftoversRequest {
  /** The lane's worktree. */
  path: string;
  /** Whether the lane may write this path. */
  isAllowed: (path: string) => boolean;
  /** Paths to leave alone without a word. */
  isIgnored?: (path: string) => boolean;
  /** Names the kind of secret that a file's bytes look like, never the secret; null when none. */
  isSecret: (path: string, bytes: Buffer) => string | null;
  message: string;
  trailer: { key: string; value: string };
  /** Runs the user's commit hooks. */
  runHooks: boolean;
}

export interface Leftovers {
  /** What the commit changed; empty when none was made. */
  committed: string[];
  outside: string[];
  /** `path (kind of secret)`. */
  secrets: string[];
  head: string;
}

/** Secrets are looked for in the first part of a file only, so that a huge one cannot fill the memory. */
const scannedBytes = 16 * 1024 * 1024;
const hookTimeoutMs = 15 * 60 * 1000;

/**
 * Commits what an attempt left in a lane, tracked and untracked but not ignored, on the lane's branch with the user's
 * identity. All or nothing: one path outside, or one that looks like a secret, and nothing is staged or committed.
 * @throws AgentKitError `conflict` in the middle of a merge or off the lane's branch, `refused` without an identity
 * or when a commit hook says no
 */
export async function commitLeftovers(request: LeftoversRequest): Promise<Leftovers> {
  const { path } = request;
  const head = await gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const entries = (await readStatus(path)).filter((entry) => !request.isIgnored?.(entry.path));
  if (entries.length === 0) return { committed: [], outside: [], secrets: [], head };
  await requireOwnBranch(path);
  // A nested repository has no files that a commit of ours could hold.
  const isOutside = (entry: StatusEntry) => entry.path.endsWith('/') || !request.isAllowed(entry.path);
  const outside = [...new Set(entries.filter(isOutside).map((entry) => entry.path))];
  const secrets = await findSecrets(entries, request);
  if (outside.length > 0 || secrets.length > 0) return { committed: [], outside, secrets, head };
  await requireIdentity(path);
  await stagePaths(path, entries);
  const staged = await git(path, ['diff-index', '--cached', '--quiet', 'HEAD', '--'], { okCodes: [0, 1] });
  if (staged.code === 0) return { committed: [], outside, secrets, head };
  await commit(request);
  const made = await gitText(path, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const changed = await changedFiles({ root: path, base: head, head: made });
  const committed = changed.flatMap((file) =>
    file.from === undefined ? [file.path] : [file.from, file.path],
  );
  return { committed, outside, secrets, head: made };
}

async function requireOwnBranch(path: string): Promise<void> {
  const admin = await adminFolderOf(path);
  const marker = admin === null ? null : await readMarkerIn(admin);
  if (admin === null || marker === null) {
    throw new AgentKitError('conflict', `${path} is not a lane of ours any more; nothing was committed`);
  }
  const operation = await operationInProgress(admin);
  if (operation !== null) {
    throw new AgentKitError(
      'conflict',
      `A ${operation} is under way in ${path}; finish or abort it there, then try again`,
    );
  }
  if ((await currentBranch(path)) !== marker.branch) {
    throw new AgentKitError(
      'conflict',
      `${path} is not on ${marker.branch}; switch back to it there: git switch ${marker.branch}`,
    );
  }
}

async function findSecrets(entries: readonly StatusEntry[], request: LeftoversRequest): Promise<string[]> {
  const found = new Set<string>();
  for (const { path, worktree } of entries) {
    if (worktree === 'D' || path.endsWith('/')) continue;
    const bytes = await readStart(join(request.path, path));
    const kind = bytes === null ? null : request.isSecret(path, bytes);
    if (kind !== null) found.add(`${path} (${kind})`);
  }
  return [...found];
}

/** What git would store of a file: its bytes, or a link's target; null when there is neither. */
async function readStart(file: string): Promise<Buffer | null> {
  const found = await lstat(file).catch(() => null);
  if (found?.isSymbolicLink()) return Buffer.from(await readlink(file));
  if (!found?.isFile()) return null;
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.min(found.size, scannedBytes)),
    });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function commit({ path, message, trailer, runHooks }: LeftoversRequest): Promise<void> {
  const input = `${message.trimEnd()}\n\n${trailer.key}: ${trailer.value}\n`;
  // Signing would ask for a passphrase that nobody is there to type.
  const args = ['commit', '--quiet', '--no-gpg-sign', '--cleanup=verbatim', '--file=-'];
  const options = runHooks ? { hooks: true, timeoutMs: hookTimeoutMs } : {};
  const { code, stderr } = await git(path, args, { input, okCodes: [0, 1], ...options });
  if (code !== 0) {
    const words = stderr.trim() || 'it said nothing';
    throw new AgentKitError(
      'refused',
      `Git or a commit hook refused the commit in ${path}; the work is still there. It said: ${words}`,
    );
  }
}
