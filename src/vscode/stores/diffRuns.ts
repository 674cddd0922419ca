import type { LaneView, RunView } from '../../core/lanes/laneView.ts';

/** What is different between two readings, per element that a view shows. */
export interface RunsDiff {
  /** Whether runs or lanes came, went or moved. */
  structure: boolean;
  /** Ids of runs whose own row is different. */
  runs: ReadonlySet<string>;
  /** Keys (`laneKey`) of lanes that are different. */
  lanes: ReadonlySet<string>;
}

/** Tells lanes of different runs apart, also when they have one id. */
export function laneKey(lane: { run: string; lane: string }): string {
  return `${lane.run} ${lane.lane}`;
}

/** Undefined when nothing that a view shows has changed. */
export function diffRuns(before: readonly RunView[], after: readonly RunView[]): RunsDiff | undefined {
  const structure = shapeOf(before) !== shapeOf(after);
  const oldRuns = new Map(before.map((run) => [run.run, ownPart(run)]));
  const oldLanes = new Map(allLanes(before).map((lane) => [laneKey(lane), JSON.stringify(lane)]));
  const runs = new Set(after.filter((run) => oldRuns.get(run.run) !== ownPart(run)).map((run) => run.run));
  const lanes = new Set(
    allLanes(after)
      .filter((lane) => oldLanes.get(laneKey(lane)) !== JSON.stringify(lane))
      .map(laneKey),
  );
  return structure || runs.size > 0 || lanes.size > 0 ? { structure, runs, lanes } : undefined;
}

function allLanes(runs: readonly RunView[]): LaneView[] {
  return runs.flatMap((run) => run.lanes);
}

function shapeOf(runs: readonly RunView[]): string {
  return JSON.stringify(runs.map((run) => [run.run, run.lanes.map((lane) => lane.lane)]));
}

/** A run's row counts its lanes by state; sequence number and time of the last event are not shown. */
function ownPart(run: RunView): string {
  const states = run.lanes.map((lane) => lane.state);
  return JSON.stringify({ ...run, seq: 0, updated_at: '', lanes: states });
}
