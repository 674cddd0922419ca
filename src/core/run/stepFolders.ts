import { gateOf, worktreeOf } from './ownSettings.ts';
import type { GateState, LaneRecord, RunState, SetupState } from './runState.ts';

/** Folder of an attempt's process inside the run's folder. */
export function attemptFolder(lane: string, attempt: number): string {
  return `lanes/${lane.replaceAll('/', '~')}/attempt-${attempt}`;
}

/** Folder of a check's process inside the run's folder. */
export function checkFolder(lane: string, gate: number, check: string): string {
  return `lanes/${lane.replaceAll('/', '~')}/gate-${gate}/${check}`;
}

/** Folder of the process of one command, counted from 0, of a lane's setup. */
export function setupFolder(lane: string, setup: number, command: number): string {
  return `lanes/${lane.replaceAll('/', '~')}/setup-${setup}/${command}`;
}

/** The same for its teardown before the removal of the worktree with this nonce. */
export function teardownFolder(lane: string, nonce: string, command: number): string {
  return `lanes/${lane.replaceAll('/', '~')}/teardown-${nonce}/${command}`;
}

/** Where files that a gate run left are kept once they were moved out of the lane, inside the run's folder. */
export function leftFolder(lane: string, gate: number): string {
  return `left/${lane.replaceAll('/', '~')}/gate-${gate}`;
}

/** The newest setup of a lane's worktree; while it is merging, of the worktree with the merged tree. */
export function setupOf({ state, merge, setup }: LaneRecord): SetupState | undefined {
  return state === 'merging' ? merge?.setup : setup;
}

/** The setup that a lane waits for. */
export function runningSetup(lane: LaneRecord, plan: RunState['plan']): SetupState | undefined {
  if (lane.state !== 'preparing' && lane.state !== 'merging') return undefined;
  const setup = setupOf(lane);
  const isOver = setup?.status !== 'running' || setup.done >= (worktreeOf({ plan }, lane)?.setup.length ?? 0);
  return isOver ? undefined : setup;
}

/** The gate run of a lane that is under way. */
export function runningGate(lane: LaneRecord): GateState | undefined {
  const gate = lane.state === 'merging' ? lane.mergeGate : lane.state === 'verifying' ? lane.gate : undefined;
  return gate?.status === 'running' ? gate : undefined;
}

/**
 * Folder of the one process that a lane waits for now, if any. A gate goes on after a check that failed, so that
 * everything wrong is told at once, but not after one that was interrupted.
 */
export function pendingStep(lane: LaneRecord, plan: RunState['plan']): string | undefined {
  if (lane.state === 'running' || lane.state === 'waiting') {
    const attempt = lane.attempts.at(-1);
    return attempt && attemptFolder(lane.id, attempt.n);
  }
  const setup = runningSetup(lane, plan);
  if (setup !== undefined) return setupFolder(lane.id, setup.n, setup.done);
  const gate = runningGate(lane);
  const check = gate && gateOf({ plan }, lane)[gate.checks.length];
  if (gate?.checks.some(({ status }) => status === 'interrupted')) return undefined;
  return gate && check && checkFolder(lane.id, gate.n, check.name);
}
