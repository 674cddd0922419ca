import { AgentKitError } from '../../core/agentKitError.ts';
import type { LeftWork } from '../../core/run/failOver.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { laneFacts } from '../git/laneFacts.ts';
import { notWork } from './leftovers.ts';
import { made, strayReason } from './settleLane.ts';

/** What a lane's attempt left in its worktree; undefined where that cannot be told. */
export async function leftWork(record: LaneRecord): Promise<LeftWork | undefined> {
  const lane = made(record);
  try {
    const facts = await laneFacts(lane);
    if (strayReason(lane, facts) !== undefined) return undefined;
    const ignored = await notWork(lane, facts.untracked);
    const clean = facts.dirty.every((path) => ignored.includes(path));
    return { clean, untouched: clean && facts.head === (lane.head ?? lane.base) };
  } catch (error) {
    if (error instanceof AgentKitError) return undefined;
    throw error;
  }
}
