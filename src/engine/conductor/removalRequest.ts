import type { Worktree } from '../../core/run/runEvent.ts';
import { noTarget } from '../../core/run/noTarget.ts';
import type { RunState } from '../../core/run/runState.ts';
import type { RemovalRequest } from '../removal/inspectRemoval.ts';
import type { EngineContext } from './runContext.ts';

/** A lane as whoever takes it away asks for it. */
export function removalRequest(
  { repository, workingIn }: Pick<EngineContext, 'repository' | 'workingIn'>,
  { run, target }: Pick<RunState, 'run' | 'target'>,
  lane: string,
  { path, branch, nonce, base }: Worktree,
): RemovalRequest {
  const into = target.ref === noTarget ? null : target.ref;
  return { ...repository, checkout: workingIn, path, branch, run, lane, nonce, base, target: into };
}
