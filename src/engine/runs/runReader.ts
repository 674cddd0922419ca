import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import { isActive } from '../../core/run/isActive.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { toRunView, type ViewFacts } from '../../core/run/toRunView.ts';
import type { UnreadableRun } from '../agentKitTypes.ts';
import { isMemoryShort } from '../conductor/startLimit.ts';
import { isAlive } from '../process/identity.ts';
import { readStatus, readStep } from '../process/steps.ts';
import { readRequests } from '../store/requests.ts';
import { journalFile, readRun, readRunOn, type FoldedRun } from '../store/runFolder.ts';
import { goneLanes } from './goneLanes.ts';

interface Known {
  /** Of the journal's file, to know it again. */
  size: number;
  inode: number;
  run: Promise<FoldedRun>;
}

/** Reads runs as everybody sees them. Of a journal that has grown only what is new is read. */
export class RunReader {
  readonly #known = new Map<string, Known>();
  readonly #noted = new Map<string, ReadonlyMap<string, string[]>>();

  /** @throws AgentKitError `not_found`, `invalid_input` */
  async state(folder: string): Promise<RunState> {
    const { size, ino: inode } = await stat(journalFile(folder)).catch(() => ({ size: -1, ino: 0 }));
    const known = this.#known.get(folder);
    const isSame = known?.inode === inode && size >= known.size && size >= 0;
    if (isSame && known.size === size) return (await known.run).state;
    const run = isSame ? readOn(folder, known.run) : readRun(folder);
    this.#known.set(folder, { size, inode, run });
    try {
      return (await run).state;
    } catch (error) {
      if (this.#known.get(folder)?.run === run) this.#known.delete(folder);
      throw error;
    }
  }

  /** Of those that can be read. */
  async states(folders: readonly string[]): Promise<RunState[]> {
    const states = await Promise.all(folders.map((folder) => this.state(folder).catch(() => undefined)));
    return states.flatMap((state) => state ?? []);
  }

  async view(folder: string): Promise<RunView> {
    const state = await this.state(folder);
    const [alive, gone] = await Promise.all([readSigns(folder, state), goneLanes(state)]);
    const owner = ownerView(state);
    const idle = owner?.alive === false ? await idleLanes(folder, state) : new Set<string>();
    const memoryIsShort = state.lanes.some(isPrepared) && isMemoryShort();
    const mergeAsked = await mergesAsked(folder, state);
    const view = toRunView(state, { folder, owner, idle, gone, mergeAsked, memoryIsShort, ...alive });
    const noted = this.#noted.get(folder);
    if (noted === undefined) return view;
    const lanes = view.lanes.map((lane) => ({
      ...lane,
      warnings: [...lane.warnings, ...(noted.get(lane.lane) ?? [])],
    }));
    return { ...view, lanes };
  }

  /** Has the views of a run show what was found out about its lanes and is no event of it. */
  note(folder: string, warnings: ReadonlyMap<string, string[]>): void {
    this.#noted.set(folder, warnings);
  }

  /** Views of all runs that can be read, and why the others cannot. */
  async viewAll(folders: readonly string[]): Promise<{ runs: RunView[]; unreadable: UnreadableRun[] }> {
    const views = await Promise.all(
      folders.map((folder) =>
        this.view(folder).catch((error: unknown): UnreadableRun => ({ folder, message: messageOf(error) })),
      ),
    );
    const isRun = (view: RunView | UnreadableRun): view is RunView => 'lanes' in view;
    return { runs: views.filter(isRun), unreadable: views.flatMap((view) => (isRun(view) ? [] : [view])) };
  }
}

/** What does not follow on what was read before is read anew: somebody put another journal there. */
async function readOn(folder: string, before: Promise<FoldedRun>): Promise<FoldedRun> {
  try {
    return await readRunOn(folder, await before);
  } catch {
    return readRun(folder);
  }
}

/** Id of the run that lies in a folder. */
export function runIdOf(folder: string): string {
  return basename(folder);
}

function ownerView({ owner }: RunState): RunView['owner'] {
  if (owner === undefined) return null;
  const alive = isAlive(owner);
  return { pid: owner.pid, head: owner.head, self: alive && owner.pid === process.pid, alive };
}

function isPrepared({ state, prepared }: LaneRecord): boolean {
  return state === 'preparing' && prepared;
}

/** Lanes under way for which no supervisor is at work now. */
async function idleLanes(folder: string, state: RunState): Promise<Set<string>> {
  const idle = new Set<string>();
  for (const lane of state.lanes.filter(isActive)) {
    const step = pendingStep(lane, state.plan);
    const found = step === undefined ? 'absent' : (await readStep(join(folder, step))).state;
    if (found !== 'starting' && found !== 'running') idle.add(lane.id);
  }
  return idle;
}

/** Lanes for whose merge somebody waits, as while another is merged into the same branch. */
async function mergesAsked(folder: string, { lanes, answers }: RunState): Promise<Set<string>> {
  if (!lanes.some(({ state }) => state === 'ready')) return new Set();
  // A run whose folder just goes away has nobody who waits.
  const open = await readRequests(folder, answers).catch(() => []);
  return new Set(open.flatMap((request) => (request.do === 'merge' ? [request.lane] : [])));
}

/** Last line of progress of each lane whose agent runs, and since when that shows no sign of life. */
async function readSigns(
  folder: string,
  state: RunState,
): Promise<Required<Pick<ViewFacts, 'activity' | 'stalled'>>> {
  const running = state.lanes.filter((lane) => lane.state === 'running' || lane.state === 'waiting');
  const activity: Record<string, string> = {};
  const stalled: Record<string, string> = {};
  await Promise.all(
    running.map(async (lane) => {
      const step = pendingStep(lane, state.plan);
      const status = step === undefined ? undefined : await readStatus(join(folder, step));
      if (status?.activity) activity[lane.id] = status.activity;
      if (status?.stalled_since) stalled[lane.id] = status.stalled_since;
    }),
  );
  return { activity, stalled };
}
