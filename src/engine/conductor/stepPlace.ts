import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { mergeTreeFolder } from '../git/prepareMergeTree.ts';
import type { RunContext } from './runContext.ts';

/** Where commands and checks of a lane run, and the ports that they get there. */
export interface StepPlace {
  path: string;
  ports: Readonly<Record<string, number>>;
}

/** That is the lane's own worktree; while it is merging, the one with the merged tree. */
export function stepPlace(run: Pick<RunContext, 'laneRoot'>, lane: LaneRecord): StepPlace {
  const made = lane.state === 'merging' ? lane.merge?.made : undefined;
  if (made !== undefined) return { path: mergeTreeFolder(run.laneRoot, made.target), ports: made.ports };
  const path = (lane.worktree ?? lane.intended)?.path;
  if (path === undefined) throw new AgentKitError('internal', `Lane ${lane.id} has no worktree.`);
  return { path, ports: lane.ports };
}
