import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { writeLaneMarker } from './addWorktree.ts';
import { allocateLane, takeBack } from './allocateLane.ts';
import { whenCheckoutHasEnded } from './checkoutOfBefore.ts';
import { checkOutLane } from './checkOutLane.ts';
import { hooksFolder } from './hooksFolder.ts';
import { laneWarnings } from './laneWarnings.ts';
import { oneAtATime } from '../store/oneAtATime.ts';
import { runPostCheckout } from './runPostCheckout.ts';
import { settingsOf } from './settingsOf.ts';
import { sparseState } from './sparseState.ts';
import { takeTurn } from './takeTurn.ts';

export interface LaneRequest {
  root: string;
  commonDir: string;
  branch: string;
  /** Absolute folder of the new worktree. */
  path: string;
  /** Commit it starts from. */
  base: string;
  run: string;
  lane: string;
  /** Fresh for every lane; the journal keeps it. */
  nonce: string;
  /** Whether the repository's `post-checkout` hook may run. */
  trusted: boolean;
  /** Variables by which what that hook leaves running is known. */
  marks?: Record<string, string>;
  /** Lets a closed lane's branch be used again when all of it is contained in this branch. */
  reuseInto?: string;
}

/**
 * Makes a lane's branch and worktree, complete and clean, or finds exactly them made. Repeatable after a crash.
 *
 * Allocation goes one lane after another, checkouts side by side. A lane that cannot be completed is taken back.
 * @throws AgentKitError `conflict`, `refused` or `invalid_input` naming what is in the way, `git_failed`
 */
export function createLane(request: LaneRequest): Promise<{ warnings: string[] }> {
  // Who asks for the same lane meanwhile gets that one, complete.
  return oneAtATime(`${request.commonDir}\0${request.path}`, () => makeLane(request));
}

async function makeLane(request: LaneRequest): Promise<{ warnings: string[] }> {
  const { commonDir, path, base } = request;
  await whenCheckoutHasEnded(request);
  const allocated = await takeTurn(commonDir, () => allocateLane(request));
  const { warnings } = allocated;
  if (allocated.adopted) return { warnings };
  const { admin, claim } = allocated;
  const dirty: string[] = [];
  try {
    const [{ pointers }, settings] = await Promise.all([checkOutLane(path, base, dirty), settingsOf(path)]);
    const sparse = settings.has('core.sparsecheckout') ? await sparseState(path, admin) : null;
    await writeLaneMarker(request, admin, { prepared: true, sparse });
    const hooks = await hooksFolder(path, commonDir, settings);
    warnings.push(...(await laneWarnings({ path, settings, hooks, pointers })));
    if (request.trusted)
      warnings.push(...(await runPostCheckout({ path, base, hooks, marks: request.marks })));
    return { warnings };
  } catch (error) {
    const kept = await takeTurn(commonDir, () => takeBack(request, claim, dirty));
    throw new AgentKitError(
      'git_failed',
      [`Lane ${request.lane} could not be made. ${messageOf(error)}`, ...kept].join('. '),
      { cause: error },
    );
  }
}
