import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Request } from '../../core/run/request.ts';
import { lanePlace } from '../git/lanePlace.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { takenLanes } from '../runs/takenLanes.ts';
import type { CareSources } from './createLaneCare.ts';

type AddLane = Extract<Request, { do: 'addLane' }>;

/** A lane by hand that is to be made. */
export interface NewLane extends Pick<AddLane, 'job' | 'own' | 'warnings'> {
  name: string;
  base: string;
  /** What that is called. */
  baseRef: string;
  /** Folder that its worktree is made in. */
  laneRoot: string;
  /** The rescue whose content it gets. */
  restores?: string;
}

/** How often it is looked whether a lane has been made, in milliseconds. */
const look = 100;

/**
 * Has the standing run's owner make lanes, and waits until each is open or blocked. All names are taken before any lane
 * is made.
 * @param choose told which names are in use, in small letters
 * @throws AgentKitError `conflict` when an answer says so, and as `choose`
 */
export async function addLanes(
  sources: CareSources,
  choose: (taken: ReadonlySet<string>) => Promise<NewLane[]>,
): Promise<LaneView[]> {
  const { keeper, reader, repository } = sources;
  const { folder, asked } = await takeTurn(repository.commonDir, async () => {
    const lanes = await choose(await takenLanes(repository.commonDir, reader));
    const standing = await keeper.standing();
    const requests: { id: string; body: Omit<AddLane, 'id'> }[] = [];
    for (const lane of lanes) {
      const body = toRequest(lane);
      requests.push({ id: await keeper.ask(standing, body), body });
    }
    return { folder: standing, asked: requests };
  });
  return Promise.all(
    asked.map(async ({ id, body }) => {
      const answer = await keeper.answerTo(folder, id, body);
      if (!answer.ok) throw new AgentKitError('conflict', answer.message);
      return whenMade(sources, folder, body.lane);
    }),
  );
}

function toRequest({
  name,
  base,
  baseRef,
  laneRoot,
  job,
  own,
  restores,
  warnings = [],
}: NewLane): Omit<AddLane, 'id'> {
  const nonce = randomBytes(8).toString('hex');
  const worktree = { ...lanePlace(laneRoot, name), base, base_ref: baseRef, nonce };
  return {
    do: 'addLane',
    lane: name,
    job,
    own,
    worktree,
    ...(restores !== undefined && { restores }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The lane once it is no longer being made, whoever owns the run meanwhile. */
async function whenMade({ keeper, reader }: CareSources, folder: string, lane: string): Promise<LaneView> {
  for (;;) {
    const { lanes, owner } = await reader.view(folder);
    const view = lanes.find((each) => each.lane === lane);
    if (view === undefined) throw new AgentKitError('not_found', `Lane ${lane} is not there any more.`);
    if (view.state !== 'preparing') return view;
    if (owner?.alive === false) await keeper.resume(folder).catch(someoneElse);
    await pause(look);
  }
}

/** Another process was faster to go on with the run. */
function someoneElse(error: unknown): void {
  if (!(error instanceof AgentKitError && error.reason === 'conflict')) throw error;
}
