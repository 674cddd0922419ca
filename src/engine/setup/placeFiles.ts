import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { copyFileInto } from './copyFileInto.ts';
import { copyLinks, type Placing } from './copyLinks.ts';
import { findCopies, nullIfAbsent } from './findCopies.ts';
import { LaneParents } from './laneParents.ts';
import { linkFolders } from './linkFolders.ts';
import { trackedIn } from './trackedIn.ts';

export interface PlaceRequest {
  /** Top folder of the main checkout. */
  root: string;
  /** Top folder of the lane. */
  path: string;
  copy: readonly string[];
  link: readonly string[];
}

/** What was put into a lane. */
export interface Placed {
  /** Relative to the lane's top: no work of an agent, whether git ignores it or not. */
  placed: string[];
  warnings: string[];
}

/**
 * Copies and links what git does not track from the main checkout into a lane before anything runs in it. Nothing that is
 * there is changed, nothing comes from or goes to outside of the two. Repeatable: what an earlier call has placed counts.
 * @throws AgentKitError `no_space`, `not_accessible` naming the file
 */
export async function placeFiles({ root, path, copy, link }: PlaceRequest): Promise<Placed> {
  if (copy.length + link.length === 0) return { placed: [], warnings: [] };
  try {
    const [from, to] = await Promise.all([realpath(root), realpath(path)]);
    return await place({ root: from, lane: to, parents: new LaneParents(to, from) }, copy, link);
  } catch (error) {
    throw asOurs(error);
  }
}

async function place(placing: Placing, copy: readonly string[], link: readonly string[]): Promise<Placed> {
  const { root, lane } = placing;
  // A checkout comes with what is tracked; that is nothing to be copied, and the lane's own never counts as placed.
  const [here, there] = await Promise.all([trackedIn(root), trackedIn(lane)]);
  const linked = await linkFolders(placing, link);
  const found = await findCopies(root, copy);
  const isLinked = (file: string) => linked.placed.some((folder) => file.startsWith(`${folder}/`));
  const wanted = (file: string) => !there.has(file) && !here.has(file) && !isLinked(file);
  const files = await copyFiles(placing, found.files.filter(wanted));
  const links = await copyLinks(placing, found.links.filter(wanted));
  const missing = await absentFrom(
    lane,
    found.files.filter((file) => here.has(file) && !there.has(file)),
  );
  const placed = [...linked.placed, ...files.placed, ...links.placed].filter((each) => !there.has(each));
  return {
    placed: [...new Set(placed)].sort(),
    warnings: shortened([
      ...linked.warnings,
      ...found.warnings,
      ...files.warnings,
      ...links.warnings,
      ...missing.map(
        (file) =>
          `copy: ${file} is tracked in the main checkout, but not where the lane begins; it is not copied`,
      ),
    ]),
  };
}

/** Enough to keep a disk busy. */
const atOnce = 16;

async function copyFiles(
  { root, lane, parents }: Placing,
  files: readonly string[],
): Promise<{ placed: string[]; warnings: string[] }> {
  const placed: string[] = [];
  const warnings: string[] = [];
  const one = async (file: string) => {
    const blocked = await parents.above(file);
    if (blocked !== null) warnings.push(`copy: ${file} has no place, as ${blocked}; it is not copied`);
    else if (await copyFileInto(join(root, file), join(lane, file))) placed.push(file);
  };
  const queue = files.values();
  const work = async () => {
    for (const file of queue)
      await one(file).catch((error: unknown) => warnings.push(unreadable(file, error)));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { placed, warnings: warnings.sort() };
}

/** One file that this user may not read, or that has gone meanwhile, keeps no lane from its work. */
function unreadable(file: string, error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSource = (code === 'EACCES' || code === 'ENOENT') && syscall === 'copyfile';
  if (!isSource) throw error;
  return `copy: ${file} cannot be copied (${code})`;
}

async function absentFrom(lane: string, files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => lstat(join(lane, file)).catch(nullIfAbsent)));
  return files.filter((_file, index) => found[index] === null);
}

const mostWarnings = 20;

function shortened(warnings: string[]): string[] {
  if (warnings.length <= mostWarnings) return warnings;
  return [...warnings.slice(0, mostWarnings), `… and ${warnings.length - mostWarnings} more of that kind`];
}

function asOurs(error: unknown): unknown {
  if (error instanceof AgentKitError || !(error instanceof Error) || !('code' in error)) return error;
  const reason = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'no_space' : 'not_accessible';
  return new AgentKitError(reason, `The lane's files cannot be placed: ${messageOf(error)}`, {
    cause: error,
  });
}
