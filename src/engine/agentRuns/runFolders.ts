import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { leftRunning } from '../process/leftRunning.ts';
import { readStep } from '../process/steps.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { stateFiles, stepFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How many folders stay, whatever became of their runs. */
const kept = 50;
/** How long one stays of which nobody knows whether anything runs in it, in milliseconds. */
const unknownMs = 7 * 24 * 3600 * 1000;

const idPattern = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

const recordSchema = z.object({
  version: z.literal(1),
  /** The agent that started it, itself or through agents that it started, by a mark; null for a person. */
  caller: z.string().nullable(),
  writes: z.boolean(),
  /** `<run>/<lane>` in whose worktree it works. */
  lane: z.string().nullable(),
  /** Folder of that run: two repositories may have lanes of one address. Unknown of runs of older versions. */
  lane_run: z.optional(z.string()),
});

/** What others have to know of a run. */
export type RunRecord = z.output<typeof recordSchema>;

/** The folder of a new run; its name is the run's id. Nothing is made yet. */
export function nextRunFolder(environment: Environment, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return join(runsRoot(environment), `${time}-${randomBytes(4).toString('hex')}`);
}

/** Makes the folder of a run, for its owner alone, and puts away the oldest that have ended. */
export async function makeRunFolder(folder: string, record: RunRecord): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeJson(recordFile(folder), record);
  const old = (await listFolders(join(folder, '..'))).slice(kept);
  for (const each of old) if (await isOver(each)) await rm(each, { recursive: true, force: true });
}

/** What runs now, as far as it was started by `ak run`. */
export async function runningRecords(
  environment: Environment,
): Promise<(RunRecord & { id: string; folder: string })[]> {
  const folders = await listFolders(runsRoot(environment));
  const found = await Promise.all(
    folders.map(async (folder) => {
      if (existsSync(stepFiles(folder).result)) return [];
      const record = await readJsonIfThere(recordFile(folder), recordSchema).catch(() => null);
      return record && (await mayRun(folder)) ? [{ id: basename(folder), folder, ...record }] : [];
    }),
  );
  return found.flat();
}

/** Whether a run works in the lane of this address, of the run in this folder. */
export function isInLane(record: RunRecord, address: string, runFolder: string | undefined): boolean {
  const { lane, lane_run: known } = record;
  return lane === address && (known === undefined || runFolder === undefined || known === runFolder);
}

/** What is known of a run by its id, as long as its folder stays; null for none. */
export async function readRecord(environment: Environment, id: string): Promise<RunRecord | null> {
  if (!idPattern.test(id)) return null;
  return readJsonIfThere(recordFile(join(runsRoot(environment), id)), recordSchema).catch(() => null);
}

function runsRoot(environment: Environment): string {
  return stateFiles(userFolders(environment).state).runs;
}

function recordFile(folder: string): string {
  return join(folder, 'run.json');
}

/** Folders of runs, newest first. What is called otherwise, or is a link, is none of ours. */
async function listFolders(root: string): Promise<string[]> {
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && idPattern.test(entry.name))
    .map(({ name }) => join(root, name))
    .sort()
    .reverse();
}

async function mayRun(folder: string): Promise<boolean> {
  const { state } = await readStep(folder).catch(() => ({ state: 'damaged' as const }));
  if (state === 'lost') return leftRunning(folder).catch(() => false);
  return state !== 'ended' && state !== 'absent';
}

/** Only what is known to have ended is put away, or what nobody can have an interest in any more. */
async function isOver(folder: string): Promise<boolean> {
  const { state } = await readStep(folder).catch(() => ({ state: 'damaged' as const }));
  if (state === 'ended') return true;
  if (state === 'lost') return !(await leftRunning(folder).catch(() => false));
  if (state !== 'absent' && state !== 'damaged') return false;
  return Date.now() - (await stat(folder)).mtimeMs > unknownMs;
}
