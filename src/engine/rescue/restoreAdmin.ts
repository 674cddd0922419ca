import { chmod, mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, gitText } from '../git/plumbing.ts';
import { rawPath, toText } from './byteNames.ts';
import { readIfThere } from './ifThere.ts';
import { isPlaceFile, type LaneFolder } from './laneFolder.ts';
import { branchLogFile } from './laneState.ts';
import { adjustAdminFile, adjustWorktreeSetting, type Place } from './newPlace.ts';
import { readObjects } from './readObjects.ts';
import type { KeptEntry, KeptLane } from './readRescue.ts';
import { restoredHead } from './restoredHead.ts';
import { closeFolders, whole } from './restoreFiles.ts';

/** What `git worktree add` writes that the rescued lane may not have had. */
const fresh = ['index', 'ORIG_HEAD', 'config.worktree', 'info/sparse-checkout'];

/**
 * Puts back what git kept of the worktree: index, reflog, an operation in progress, submodules, and HEAD last. The
 * admin folder was made for this, so what is there is replaced, file by file, each whole. Repeatable after a crash.
 * @returns sentences about what is not as it was
 */
export async function restoreAdmin(lane: LaneFolder, kept: KeptLane, from: Place): Promise<string[]> {
  const to: Place = { path: lane.path, admin: lane.admin, branch: lane.branch };
  const entries = kept.admin.filter(({ path }) => !isPlaceFile(path));
  for (const name of fresh) {
    if (!entries.some(({ path }) => path === name)) await rm(join(lane.admin, name), { force: true });
  }
  const folders = entries.filter(({ kind }) => kind === 'folder');
  for (const { path } of folders) await mkdir(rawPath(lane.admin, path), { recursive: true });
  const others = entries.filter(({ kind }) => kind !== 'folder');
  // A worktree whose HEAD is gone is none any more, should this end half-way.
  others.sort((a, b) => Number(a.path === 'HEAD') - Number(b.path === 'HEAD'));
  const warnings: string[] = [];
  const oids = others.map(({ oid }) => oid);
  await readObjects(lane.root, oids, async ({ content }, n) => {
    const entry = others[n];
    if (entry === undefined) throw new Error('Git gave more objects than it was asked for');
    await replace(lane, entry, await adjusted(entry, content));
  });
  async function adjusted(
    entry: KeptEntry,
    content: AsyncIterable<Buffer>,
  ): Promise<AsyncIterable<Buffer> | Buffer> {
    if (entry.path.startsWith('modules/')) return content;
    const text = adjustAdminFile(entry.path, await whole(content), from, to);
    return entry.path === 'HEAD' ? restoredHead(lane, kept.manifest, text, warnings) : text;
  }
  // An index may name the empty file, which not every rescue keeps.
  await git(lane.root, ['hash-object', '-w', '--stdin'], { input: '' });
  await moveSubmodules(lane, entries, from, to);
  await closeFolders(lane.admin, entries);
  for (const { oid, content } of kept.tags) await restoreTag(lane.root, oid, content);
  if (kept.branchLog !== null) await restoreBranchLog(lane, kept.branchLog);
  return warnings;
}

async function replace(
  { admin }: LaneFolder,
  { path, kind, mode }: KeptEntry,
  content: AsyncIterable<Buffer> | Buffer,
): Promise<void> {
  const file = rawPath(admin, path);
  const part = rawPath(admin, `${path}.agentkit`);
  await rm(part, { force: true });
  if (kind === 'link') {
    await symlink(Buffer.isBuffer(content) ? content : await whole(content), part);
  } else {
    const handle = await open(part, 'wx', 0o600);
    try {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : content) await handle.writeFile(chunk);
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
  }
  await rename(part, file);
}

/** Tells submodules' repositories where their files are now. */
async function moveSubmodules(
  lane: LaneFolder,
  entries: readonly KeptEntry[],
  from: Place,
  to: Place,
): Promise<void> {
  const configs = entries.filter(({ path, kind }) => kind === 'file' && /^modules\/.+\/config$/.test(path));
  for (const { path, mode } of configs) {
    const file = join(lane.admin, toText(path));
    const args = ['config', '--file', file, '--default=', '--get', 'core.worktree'];
    const read = await git(lane.root, args, { okCodes: [0, 1, 3, 128] });
    const value = read.code === 0 ? read.stdout.toString('utf8').replace(/\n$/, '') : '';
    const wanted = value === '' ? null : adjustWorktreeSetting(dirname(toText(path)), value, from, to);
    if (wanted === null) continue;
    await git(lane.root, ['config', '--file', file, 'core.worktree', wanted]);
    await chmod(file, mode);
  }
}

async function restoreTag(root: string, oid: string, content: string): Promise<void> {
  const { stdout } = await git(root, ['cat-file', 'blob', content]);
  const made = await gitText(root, ['hash-object', '-t', 'tag', '-w', '--stdin'], { input: stdout });
  if (made !== oid) throw new Error(`The tag ${oid} came out as ${made}`);
}

/** Puts the branch's earlier reflog before the entries that it has now. */
async function restoreBranchLog(lane: LaneFolder, log: Buffer): Promise<void> {
  const file = branchLogFile(lane.commonDir, lane.branch);
  const now = (await readIfThere(file))?.toString('latin1') ?? null;
  const old = log.toString('latin1');
  if (now === null || now.startsWith(old)) return;
  const part = `${file}.agentkit`;
  await writeFile(part, old + now, 'latin1');
  await rename(part, file);
}
