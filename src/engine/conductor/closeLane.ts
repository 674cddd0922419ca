import { messageOf } from '../../core/agentKitError.ts';
import type { RescueRecord } from '../../core/run/rescue.ts';
import type { RunEventBody, Worktree } from '../../core/run/runEvent.ts';
import type { Closing } from '../../core/run/runState.ts';
import { bringLaneBack } from '../git/moveLaneBack.ts';
import { findOrphans } from '../process/orphans.ts';
import { stopOrphans } from '../process/stopOrphans.ts';
import { proveLane } from '../removal/proveLane.ts';
import { removeLane, type Removal } from '../removal/removeLane.ts';
import { whoStaysIn } from '../removal/whoWorksIn.ts';
import { releasePorts } from '../setup/reservePorts.ts';
import { runsFolder } from '../store/runFolder.ts';
import { userFolders } from '../store/userFolders.ts';
import { freeAccount } from './holdAccount.ts';
import { portOwner } from './portOwner.ts';
import { removalRequest } from './removalRequest.ts';
import { hasNothingOwn, isOfGoneFolder, keepLane, lossesOf } from './keepLane.ts';
import { requireParent } from './keepWhatIsLeft.ts';
import type { RunContext } from './runContext.ts';
import { tearDown } from './tearDown.ts';

/** How it ended; `later` when this owner was told to let go before that. */
type End =
  { refused: string[] } | { removal: Removal; rescue: RescueRecord | null; warnings: string[] } | 'later';

/**
 * Rescues a closing lane and takes it away, as far as the reason of its closing demands. The rescue stands in the
 * journal before anything is taken away. Repeatable after a crash at any point.
 */
export async function closeLane(run: RunContext, laneId: string): Promise<void> {
  const { closing } = run.lane(laneId);
  if (closing === undefined) return;
  if (closing.why === 'blocked') return blockLane(run, laneId, closing);
  const end = await freeAccount(run, laneId)
    .then(() => takeAway(run, laneId, closing))
    .catch((error: unknown): End => ({ refused: [messageOf(error)] }));
  if (end === 'later') return;
  const answer = (ok: boolean, message: string): RunEventBody[] =>
    closing.request === undefined
      ? []
      : [
          {
            type: 'request.answered',
            request: closing.request,
            ok,
            message,
            ...(!ok && { reason: 'refused' }),
          },
        ];
  if ('refused' in end) {
    const reasons = end.refused;
    const told = `Lane ${laneId} was kept: ${reasons.join(' ')}`;
    return run.append({ type: 'lane.kept', lane: laneId, reasons }, ...answer(false, told));
  }
  const { removal, warnings } = end;
  const removed = {
    type: 'lane.removed',
    lane: laneId,
    branch: removal.branch,
    left: leftOf(removal),
    ...(warnings.length > 0 && { warnings }),
  } as const;
  await run.append(removed, ...answer(true, describeEnd(laneId, end)));
}

/** Stops a lane for a person to look at; what it holds is kept besides, where it stands. */
async function blockLane(
  run: RunContext,
  laneId: string,
  { message = 'It was stopped.' }: Closing,
): Promise<void> {
  const lane = run.lane(laneId);
  const freed = await freeAccount(run, laneId).then(
    () => '',
    (error: unknown) => `Its account could not be freed: ${messageOf(error)}`,
  );
  const kept = await endProcesses(run, laneId)
    .then(async (stay) => {
      if (stay.length > 0) return `It could not be rescued: ${stay.join(' ')}`;
      return lane.worktree && keptBesides(await keepLane(run, laneId, lane.worktree));
    })
    .catch((error: unknown) => `It could not be rescued: ${messageOf(error)}`);
  const told = [message.replace(/[.\s]*$/, '.'), kept ?? '', freed].join(' ').trim();
  await run.append({ type: 'lane.blocked', lane: laneId, message: told });
}

async function takeAway(run: RunContext, laneId: string, closing: Closing): Promise<End> {
  const lane = run.lane(laneId);
  const place = lane.worktree ?? lane.intended;
  if (place === undefined) return { removal: { branch: 'gone', left: [] }, rescue: null, warnings: [] };
  const stay = await endProcesses(run, laneId);
  if (stay.length > 0) return { refused: stay };
  const moved = await bringLaneBack(removalRequest(run, run.state(), laneId, place));
  const end = await takeAwayFrom(run, laneId, closing, place);
  if (moved === null || end === 'later') return end;
  const told = `its folder had been moved to ${moved} and was put back first`;
  if ('refused' in end) return { refused: [...end.refused, `Besides: ${told}.`] };
  return { ...end, warnings: [told, ...end.warnings] };
}

/** What is known to be where it belongs, or to be gone. */
async function takeAwayFrom(
  run: RunContext,
  laneId: string,
  closing: Closing,
  place: Worktree,
): Promise<End> {
  const request = removalRequest(run, run.state(), laneId, place);
  const { refusals } = await proveLane(request);
  if (refusals.length > 0) return { refused: refusals };
  const working = await whoStaysIn(place.path, { run: run.state().run, lane: laneId });
  if (working.reasons.length > 0) return { refused: working.reasons };
  if (closing.why === 'remove') requireParent(place.path, 'ak lane clean');
  let rescue = (await mayGoBare(run, laneId, place, closing)) ? null : await keepLane(run, laneId, place);
  const losses = rescue === null || closing.accepts_loss ? [] : lossesOf(rescue, closing.why);
  if (losses.length > 0) return { refused: losses };
  if (rescue !== null && closing.why === 'restart' && isOfGoneFolder(rescue))
    requireParent(place.path, `ak lane retry ${laneId}`);
  const torn = await tearDown(run, laneId, place);
  if (torn === 'later') return torn;
  if (torn.refused.length > 0) return { refused: torn.refused };
  // What the teardown changed is kept too.
  if (torn.ran && !(await mayGoBare(run, laneId, place, closing)))
    rescue = await keepLane(run, laneId, place);
  const removal = await removeLane({ ...request, rescued: rescue });
  // From here on the lane is gone, whatever fails besides.
  const freed = closing.why === 'restart' ? [] : await freePorts(run, laneId);
  return { removal, rescue, warnings: [...torn.warnings, ...freed] };
}

/** @returns why not, where they stay reserved */
async function freePorts(run: RunContext, laneId: string): Promise<string[]> {
  try {
    await releasePorts({ stateFolder: userFolders(run.environment).state, owner: portOwner(run, laneId) });
    return [];
  } catch (error) {
    return [`its ports stay reserved: ${messageOf(error)}`];
  }
}

/** What was never made has nothing to lose, nor has a merged lane in which nothing else lies. */
async function mayGoBare(
  run: RunContext,
  laneId: string,
  place: Worktree,
  { why }: Closing,
): Promise<boolean> {
  const { worktree, adopts } = run.lane(laneId);
  // One that was to be adopted held somebody's work before it was ours.
  if (worktree === undefined) return adopts === undefined;
  return why === 'remove' && (await hasNothingOwn(run, laneId, place));
}

/** Ends what agents of the lane left running, and says of what cannot be ended why. */
async function endProcesses(run: RunContext, laneId: string): Promise<string[]> {
  const request = { runsFolder: runsFolder(run.repository.commonDir), dist: run.dist };
  const { run: runId } = run.state();
  const all = await findOrphans(request);
  const orphans = all.filter((each) => each.run === runId && each.lane === laneId);
  const stopped = await stopOrphans(orphans, request);
  return stopped.filter(({ outcome }) => outcome === 'left').map(({ message }) => `${message}.`);
}

function leftOf({ left, why }: Removal): string[] {
  return why === undefined || left.includes(why) ? left : [...left, why];
}

function describeEnd(
  lane: string,
  { removal, rescue, warnings }: Extract<End, { removal: Removal }>,
): string {
  const left = leftOf(removal);
  const gone = removal.branch === 'kept' ? 'Its worktree is gone.' : 'Its worktree and branch are gone.';
  const kept = rescue === null ? 'Nothing of it had to be rescued.' : `${whatIsIn(rescue)}.`;
  const still = left.length === 0 ? '' : ` Still there: ${left.join('; ')}.`;
  const besides = warnings.length === 0 ? '' : ` Besides: ${warnings.join('; ')}.`;
  return `Lane ${lane} was taken away. ${gone} ${kept}${still}${besides}`;
}

function keptBesides(rescue: RescueRecord): string {
  return isOfGoneFolder(rescue) ? `${whatIsIn(rescue)}.` : `What it held is in ${rescue.ref} too.`;
}

/** Nothing that was lost is called kept. */
function whatIsIn(rescue: RescueRecord): string {
  const { ref, not_kept: lost } = rescue;
  if (lost.length === 0) return `All it held is in ${ref}`;
  if (isOfGoneFolder(rescue)) return `Its folder was gone; only branch, index and HEAD are kept, in ${ref}`;
  return `What could be kept of it is in ${ref}, without ${lost.map(({ path }) => path).join(', ')}`;
}
