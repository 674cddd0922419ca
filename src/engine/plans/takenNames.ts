import { AgentKitError } from '../../core/agentKitError.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import { hasEarlierLane } from '../git/hasEarlierLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import type { Repository } from '../git/openRepository.ts';

/** What stands where a lane is to stand and is not ours; lanes of ours make the new one take another name. */
export async function takenNames(
  plan: ResolvedPlan,
  { repository, laneRoot }: { repository: Repository; laneRoot: string },
): Promise<string[]> {
  const reuseInto = plan.merge.into;
  const found = await Promise.all(
    plan.jobs.map(({ id }) =>
      hasEarlierLane(repository, { ...lanePlace(laneRoot, id), reuseInto }).then(
        () => [],
        (error: unknown) => {
          if (error instanceof AgentKitError) return [`${id}: ${error.message}`];
          throw error;
        },
      ),
    ),
  );
  return found.flat();
}
