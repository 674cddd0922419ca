import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Request } from '../../core/run/request.ts';
import { noTarget, whyNoTarget } from '../../core/run/noTarget.ts';
import type { RunState } from '../../core/run/runState.ts';
import { isContained } from '../git/claimBranch.ts';
import { lanePlace } from '../git/lanePlace.ts';
import type { LaneIdentity } from '../git/marker.ts';
import { takeTurn } from '../git/takeTurn.ts';
import { checkedOutBranch } from '../runs/standingRun.ts';
import { takenLanes } from '../runs/takenLanes.ts';
import { readRequests } from '../store/requests.ts';
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
  /** The worktree that is there already, and whose it says it is. */
  adopts?: { branch: string; path: string; before: LaneIdentity };
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
    const requests: (AddLane | BeingMade)[] = [];
    const target = await targetNow(sources, (await reader.state(standing)).target.ref);
    for (const lane of lanes) {
      const into = target?.ref ?? (await reader.state(standing)).target.ref;
      const brings = await bringsAlong(sources, lane, into);
      const body = toRequest({ ...lane, warnings: [...(lane.warnings ?? []), ...brings] }, target);
      const begun = await begunRestore(standing, await reader.state(standing), lane.restores);
      requests.push(begun ?? { ...body, id: await keeper.ask(standing, body) });
    }
    return { folder: standing, asked: requests };
  });
  return Promise.all(
    asked.map(async (request) => {
      if (!('id' in request)) return whenMade(sources, folder, request.lane);
      const { id, ...body } = request;
      const answer = await keeper.answerTo(folder, id, body);
      if (!answer.ok) throw new AgentKitError('conflict', answer.message);
      return whenMade(sources, folder, body.lane);
    }),
  );
}

/** A lane whose request was answered, and that is not made yet. */
type BeingMade = Pick<AddLane, 'lane'>;

/** What somebody, who may be gone by now, began to bring the same rescue back: whoever asks again joins it. */
async function begunRestore(
  folder: string,
  { answers, lanes }: RunState,
  rescue: string | undefined,
): Promise<AddLane | BeingMade | undefined> {
  if (rescue === undefined) return undefined;
  const asked = (await readRequests(folder, answers)).find(
    (request) => request.do === 'addLane' && request.restores === rescue,
  );
  if (asked?.do === 'addLane') return asked;
  const made = lanes.find(({ state, restores }) => state === 'preparing' && restores === rescue);
  return made && { lane: made.id };
}

/** A lane is merged into the branch of its run, whatever it was made from. */
async function bringsAlong(
  { repository: { root } }: CareSources,
  { base, baseRef, restores, adopts }: NewLane,
  target: string,
): Promise<string[]> {
  const isNew = restores === undefined && adopts === undefined;
  const isOwn = baseRef === target || baseRef.endsWith(`/${target}`);
  if (!isNew || isOwn || target === noTarget || (await isContained(root, base, target))) return [];
  return [`It will be merged into ${target}, which then has all of ${baseRef} too.`];
}

type Target = NonNullable<AddLane['target']>;

/** What a run that has no branch to merge into gets, null where there is none now either; undefined where it has one. */
async function targetNow(
  { repository, checkout }: CareSources,
  known: string,
): Promise<Target | null | undefined> {
  return known === noTarget ? checkedOutBranch(repository.root, checkout) : undefined;
}

function toRequest(
  { name, base, baseRef, laneRoot, job, own, restores, adopts, warnings: found = [] }: NewLane,
  target: Target | null | undefined,
): Omit<AddLane, 'id'> {
  const warnings = target === null ? [...found, whyNoTarget(adopts?.branch ?? `lane/${name}`)] : found;
  const nonce = randomBytes(8).toString('hex');
  const { branch, path } = adopts ?? lanePlace(laneRoot, name);
  const worktree = { branch, path, base, base_ref: baseRef, nonce };
  return {
    do: 'addLane',
    lane: name,
    job,
    own,
    worktree,
    ...(restores !== undefined && { restores }),
    ...(adopts !== undefined && { adopts: adopts.before }),
    ...(target && { target }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * The lane once it is no longer being made. Whoever answered may have let go of the run or failed since, and still be
 * alive: where nobody holds the run, it is made here.
 * @throws AgentKitError `cancelled` when this process lets go, and what ended a conductor of ours for any other reason
 */
async function whenMade({ keeper, reader }: CareSources, folder: string, lane: string): Promise<LaneView> {
  for (;;) {
    const record = (await reader.state(folder)).lanes.find(({ id }) => id === lane);
    const view = (await reader.view(folder)).lanes.find((each) => each.lane === lane);
    if (view === undefined) throw new AgentKitError('not_found', `Lane ${lane} is not there any more.`);
    // Where its owner is gone, the view shows one that is still to be made as interrupted.
    if (record?.state !== 'preparing') return view;
    const ours = await keeper.keepForGood(folder).catch(someoneElse);
    await (ours === undefined ? pause(look) : Promise.race([ours.atRest.catch(someoneElse), pause(look)]));
  }
}

/** Another process holds the run, and makes it. */
function someoneElse(error: unknown): undefined {
  if (!(error instanceof AgentKitError && error.reason === 'conflict')) throw error;
}
