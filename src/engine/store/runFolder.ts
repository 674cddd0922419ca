import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import { applyEvent, fold } from '../../core/run/fold.ts';
import type { RunEvent } from '../../core/run/runEvent.ts';
import type { RunState } from '../../core/run/runState.ts';
import { writeText } from './atomicFile.ts';
import { inSlices } from './inSlices.ts';
import { readJournal, readJournalAfter } from './journal.ts';

/** Where the runs of a repository lie: in git's common directory, out of reach of cleaning and searches. */
export function runsFolder(commonDir: string): string {
  return join(commonDir, 'agentkit', 'runs');
}

export function journalFile(folder: string): string {
  return join(folder, 'journal.jsonl');
}

export function requestsFolder(folder: string): string {
  return join(folder, 'requests');
}

export function ownerLockFile(folder: string): string {
  return join(folder, 'owner.lock');
}

/** Makes the folder of a new run with its plan. Resolves to the plan's sha256. */
export async function createRunFolder(folder: string, plan: ResolvedPlan): Promise<string> {
  await mkdir(requestsFolder(folder), { recursive: true, mode: 0o700 });
  const text = stringify(plan);
  await writeText(join(folder, 'plan.yaml'), text, { mode: 0o600 });
  return sha256(text);
}

/** The plan that a run keeps, proven by the hash in its first event. */
async function readPlan(folder: string, events: readonly RunEvent[]): Promise<ResolvedPlan> {
  const file = join(folder, 'plan.yaml');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new AgentKitError('invalid_input', `${file} is gone; put it back to go on.`);
    throw error;
  });
  const [first] = events;
  if (first?.type === 'run.created' && first.plan_sha256 !== sha256(text)) {
    throw new AgentKitError(
      'invalid_input',
      `${file} was changed after the run began; put it back to go on.`,
    );
  }
  return parse(text) as ResolvedPlan;
}

/** The state of a run, and how far its journal was read for that. */
export interface FoldedRun {
  state: RunState;
  bytes: number;
  lines: number;
}

/** The run in this folder. @throws AgentKitError `not_found`, `invalid_input` */
export async function readRun(folder: string): Promise<FoldedRun> {
  const read = await readJournal(journalFile(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new AgentKitError('not_found', `There is no run at ${folder}.`);
    throw error;
  });
  return { state: await foldEvents(folder, read.events), bytes: read.whole, lines: read.lines };
}

/** The same after its journal has grown: only what is new is read. @throws AgentKitError `invalid_input` */
export async function readRunOn(folder: string, known: FoldedRun): Promise<FoldedRun> {
  const read = await readJournalAfter(journalFile(folder), known);
  return {
    state: await applyEvents(known.state, read.events),
    bytes: known.bytes + read.whole,
    lines: known.lines + read.lines,
  };
}

export async function foldEvents(folder: string, events: readonly RunEvent[]): Promise<RunState> {
  const begin = fold(await readPlan(folder, events), events.slice(0, 1));
  return applyEvents(begin, events.slice(1));
}

async function applyEvents(before: RunState, events: readonly RunEvent[]): Promise<RunState> {
  let state = before;
  await inSlices(events, (event) => {
    state = applyEvent(state, event);
  });
  return state;
}

/** Folders of all runs of a repository, newest first. A folder without a journal is no run, or not yet. */
export async function listRunFolders(commonDir: string): Promise<string[]> {
  const root = runsFolder(commonDir);
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries
    .filter((entry) => entry.isDirectory() && existsSync(journalFile(join(root, entry.name))))
    .map(({ name }) => name);
  return names
    .sort()
    .reverse()
    .map((name) => join(root, name));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
