import type { RunContext } from './runContext.ts';

/** A lane by a name that no lane of another repository has; the ports of a machine are given by it. */
export function portOwner(run: Pick<RunContext, 'repository' | 'state'>, laneId: string): string {
  return `lane ${laneId} of run ${run.state().run} in ${run.repository.root}`;
}

/** The same for the worktree in which merges into the run's target are judged, whichever run asks. */
export function mergesOwner(run: Pick<RunContext, 'repository' | 'state'>): string {
  return `merges into ${run.state().target.ref} in ${run.repository.root}`;
}
