import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { isClosed } from '../../core/run/fold.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import { listRunFolders } from '../store/runFolder.ts';
import { laneOnDisk } from './laneOnDisk.ts';
import type { RunReader } from './runReader.ts';

export interface FoundLane {
  folder: string;
  state: RunState;
  record: LaneRecord;
  view: LaneView;
}

/** Finds lanes by id over all runs of a repository; of several one that is not closed wins, then the newest. */
export class LaneFinder {
  readonly #commonDir: string;
  readonly #reader: RunReader;

  constructor(commonDir: string, reader: RunReader) {
    this.#commonDir = commonDir;
    this.#reader = reader;
  }

  /**
   * Takes a lane's id, or `<run>/<job>`; a job's id alone means its newest lane when no lane is called so itself. What
   * it holds is told as its worktree has it now.
   * @throws AgentKitError `not_found` naming the lanes that there are
   */
  async find(lane: string): Promise<FoundLane> {
    return laneOnDisk(await this.#find(lane));
  }

  async #find(lane: string): Promise<FoundLane> {
    const ids = new Set<string>();
    const unreadable: string[] = [];
    let closed: FoundLane | undefined;
    let ofJob: FoundLane | undefined;
    for (const folder of await listRunFolders(this.#commonDir)) {
      // A run that cannot be read keeps none of the others from use.
      const state = await this.#reader.state(folder).catch((error: unknown) => {
        unreadable.push(messageOf(error));
        return undefined;
      });
      if (state === undefined) continue;
      const record = state.lanes.find(
        ({ id, job }) => id === lane || laneAddress({ run: state.run, job: job.id }) === lane,
      );
      for (const each of state.lanes) ids.add(each.id);
      if (record !== undefined && !isClosed(record)) return this.#found(folder, state, record);
      if (record !== undefined) closed ??= await this.#found(folder, state, record);
      const same = state.lanes.find(({ job }) => job.id === lane);
      if (same !== undefined) ofJob ??= await this.#found(folder, state, same);
    }
    const found = closed ?? ofJob;
    if (found !== undefined) return found;
    const known = ids.size === 0 ? 'there are none yet' : `there are ${[...ids].join(', ')}`;
    const hidden = unreadable.map((message) => ` A run cannot be read, and it may be there: ${message}`);
    throw new AgentKitError('not_found', `There is no lane "${lane}"; ${known}.${hidden.join('')}`);
  }

  async #found(folder: string, state: RunState, record: LaneRecord): Promise<FoundLane> {
    const view = (await this.#reader.view(folder)).lanes.find((each) => each.lane === record.id);
    if (view === undefined) throw new Error(`Lane ${record.id} has no view`);
    return { folder, state, record, view };
  }

  /** Folder of the newest attempt of a lane. @throws AgentKitError `not_found` before the first */
  async newestAttempt(lane: string): Promise<string> {
    const { folder, record } = await this.#find(lane);
    const attempt = record.attempts.at(-1);
    if (attempt === undefined)
      throw new AgentKitError('not_found', `No agent has worked in lane "${lane}" yet.`);
    return join(folder, attemptFolder(record.id, attempt.n));
  }
}
