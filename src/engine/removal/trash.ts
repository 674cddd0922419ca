import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { entryAt } from './entryAt.ts';

const trashSchema = z.object({
  version: z.literal(1),
  run: z.string(),
  lane: z.string(),
  nonce: z.string(),
  /** Where the lane's folder was. */
  path: z.string(),
  /** Where it was moved to, beside it: what is renamed within one folder is moved whole or not at all. */
  trash: z.string(),
  /** Device and inode of the folder, in decimal: only the very folder that was judged is ever deleted. */
  device: z.string(),
  inode: z.string(),
});

/** A lane's folder on its way out; kept as a file in git's folder until nothing is left of it. */
export type Trash = z.output<typeof trashSchema> & { file: string };

/**
 * Moves a lane's folder aside, where nobody looks for it.
 * @throws AgentKitError `not_accessible` when it cannot be moved; it then is where it was
 */
export async function moveToTrash(
  commonDir: string,
  lane: { run: string; lane: string; nonce: string; path: string },
): Promise<Trash> {
  const { run, lane: id, nonce, path } = lane;
  const found = await identityOf(path);
  if (found === null) throw new AgentKitError('conflict', `${path} is no folder any more`);
  const name = randomBytes(8).toString('hex');
  const folder = recordFolder(commonDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const trash = join(dirname(path), `.trash-${name}`);
  const record = { version: 1 as const, run, lane: id, nonce, path, trash, ...found };
  const file = join(folder, `${name}.json`);
  await writeJson(file, record);
  try {
    await rename(path, trash);
  } catch (error) {
    await rm(file, { force: true });
    throw new AgentKitError(
      'not_accessible',
      `${path} cannot be moved away (${messageOf(error)}); make ${dirname(path)} writable, or close what holds the folder`,
      { cause: error },
    );
  }
  const moved = { ...record, file };
  if (await isTheFolder(moved)) return moved;
  await takeFromTrash(moved);
  throw new AgentKitError('conflict', `${path} was replaced by another folder meanwhile; it was put back`);
}

/** Puts a folder back to where it was, if that place is still free. */
export async function takeFromTrash({ path, trash, file }: Trash): Promise<void> {
  if ((await entryAt(path)) === null) await rename(trash, path);
  await rm(file, { force: true });
}

export interface TrashList {
  records: Trash[];
  /** Records that cannot be read, and so name nothing that may be deleted. */
  damaged: { file: string; why: string }[];
}

/** What removals have moved away and not deleted yet. */
export async function listTrash(commonDir: string): Promise<TrashList> {
  const folder = recordFolder(commonDir);
  const names = (await entryAt(folder)) === null ? [] : await readdir(folder);
  const list: TrashList = { records: [], damaged: [] };
  for (const name of names.filter((entry) => /^[0-9a-f]{16}\.json$/.test(entry)).sort()) {
    const file = join(folder, name);
    try {
      const record = await readJsonIfThere(file, trashSchema);
      if (record === null) continue;
      if (basename(record.trash) === `.trash-${basename(name, '.json')}`)
        list.records.push({ ...record, file });
      else list.damaged.push({ file, why: `${file} names a folder that no removal has made` });
    } catch (error) {
      list.damaged.push({ file, why: messageOf(error) });
    }
  }
  return list;
}

/** Takes away what a killed process has left of a record that it was writing. Nobody else may write one meanwhile. */
export async function clearTornRecords(commonDir: string): Promise<void> {
  const folder = recordFolder(commonDir);
  const names = (await entryAt(folder)) === null ? [] : await readdir(folder);
  const torn = names.filter((name) => /^[0-9a-f]{16}\.json\.\d+$/.test(name));
  await Promise.all(torn.map((name) => rm(join(folder, name), { force: true })));
}

/** Whether the recorded folder lies in its place in the trash, and nothing else under its name. */
export async function isTheFolder({ trash, device, inode }: Trash): Promise<boolean> {
  const found = await identityOf(trash);
  return found !== null && found.device === device && found.inode === inode;
}

function recordFolder(commonDir: string): string {
  return join(commonDir, 'agentkit', 'trash');
}

async function identityOf(path: string): Promise<{ device: string; inode: string } | null> {
  const found = await entryAt(path);
  return found?.isDirectory() ? { device: String(found.dev), inode: String(found.ino) } : null;
}
