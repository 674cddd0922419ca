import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { toRunView } from '../../core/run/toRunView.ts';
import type { UnreadableRun } from '../agentKitTypes.ts';
import { isAlive } from '../process/identity.ts';
import { readStep } from '../process/steps.ts';
import { journalFile, readRunState } from '../store/runFolder.ts';

/** Reads runs as everybody sees them. A journal is folded again only when it has grown. */
export class RunReader {
  readonly #folded = new Map<string, { size: number; state: Promise<RunState> }>();

  /** @throws AgentKitError `not_found`, `invalid_input` */
  async state(folder: string): Promise<RunState> {
    const size = await stat(journalFile(folder)).then(
      (found) => found.size,
      () => -1,
    );
    const known = this.#folded.get(folder);
    if (known?.size === size && size >= 0) return known.state;
    const state = readRunState(folder);
    this.#folded.set(folder, { size, state });
    return state.catch((error: unknown) => {
      this.#folded.delete(folder);
      throw error;
    });
  }

  /** Of those that can be read. */
  async states(folders: readonly string[]): Promise<RunState[]> {
    const states = await Promise.all(folders.map((folder) => this.state(folder).catch(() => undefined)));
    return states.flatMap((state) => state ?? []);
  }

  async view(folder: string): Promise<RunView> {
    const state = await this.state(folder);
    return toRunView(state, { folder, owner: ownerView(state), activity: await readActivity(folder, state) });
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

/** Id of the run that lies in a folder. */
export function runIdOf(folder: string): string {
  return basename(folder);
}

function ownerView({ owner }: RunState): RunView['owner'] {
  if (owner === undefined) return null;
  const alive = isAlive(owner);
  return { pid: owner.pid, head: owner.head, self: alive && owner.pid === process.pid, alive };
}

/** Last line of progress of each lane whose agent runs. */
async function readActivity(folder: string, state: RunState): Promise<Record<string, string>> {
  const running = state.lanes.filter((lane) => lane.state === 'running' || lane.state === 'waiting');
  const entries = await Promise.all(
    running.map(async (lane): Promise<[string, string][]> => {
      const step = pendingStep(lane, state.plan);
      const activity = step === undefined ? null : (await readStep(join(folder, step))).status?.activity;
      return activity === null || activity === undefined ? [] : [[lane.id, activity]];
    }),
  );
  return Object.fromEntries(entries.flat());
}
